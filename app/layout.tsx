import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import { SkipLink } from './_ui/skip-link';
import { ThemeProvider } from './_ui/theme';
import { Toaster } from './_ui/toaster';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Ohm, the honest streaming gateway', template: '%s · Ohm' },
  description: 'One OpenAI-compatible endpoint over many providers, with failover that never splices two answers.',
};

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfaf8' },
    { media: '(prefers-color-scheme: dark)', color: '#14110f' },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    // next-themes sets the class before hydration.
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`} suppressHydrationWarning>
      <body className="antialiased">
        <ThemeProvider>
          <SkipLink />
          {children}
          <Toaster />
        </ThemeProvider>
      </body>
    </html>
  );
}
