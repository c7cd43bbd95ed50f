/** Every page has one `<main id="main" tabIndex={-1}>`. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-accent px-3 py-2 text-sm font-medium text-on-accent focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
