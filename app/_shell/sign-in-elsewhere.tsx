/** A way to sign in that leaves this page, and what was typed into it, as it is. */
export function SignInElsewhere() {
  return <a href="/sign-in" target="_blank" rel="noopener" className="link">Sign in in a new tab</a>;
}
