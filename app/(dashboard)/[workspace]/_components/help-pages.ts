/** The public pages that the dashboard links to: in its bar, and on a phone in the account's menu. */
export const HELP_PAGES = [
  { href: '/docs', label: 'Docs' },
  { href: '/docs/streaming-failover', label: 'Contract' },
  { href: '/status', label: 'Status' },
];
