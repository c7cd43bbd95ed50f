import { createTransport } from 'nodemailer';
import type { Outcome } from './send-webhook';

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  smtpUrl: string;
  from: string;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Stays the same on every try, so that a mailbox can tell. */
  id: string;
}

export interface Mailer {
  /** One try. Never rejects. */
  send(mail: Mail): Promise<Outcome>;
  close(): void;
}

/** Mail by the operator's own server; without one nothing is sent, and each message says so. Plain text only. */
export function createMailer(settings: MailSettings | null): Mailer {
  if (settings === null) {
    return { send: async () => ({ type: 'not_configured', error: 'OHM_SMTP_URL is not set: the message is kept here and was sent to nobody' }), close: () => undefined };
  }
  const transport = createTransport({ url: settings.smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, disableFileAccess: true, disableUrlAccess: true }, { from: settings.from });
  const domain = settings.from.match(/@([^>\s]+)/)?.[1] ?? 'localhost';
  return {
    async send({ to, subject, text, id }) {
      try {
        const { response } = await transport.sendMail({ to: { name: '', address: to }, subject, text, messageId: `<${id}@${domain}>`, headers: { 'Auto-Submitted': 'auto-generated' } });
        return { type: 'delivered', status: statusOf(response), response: response.slice(0, 1_024) };
      } catch (error) {
        const { responseCode, response, code } = error as { responseCode?: number; response?: string; code?: string };
        // A permanent refusal (5yz) of this message; a rejected log-in is the operator's to mend.
        const final = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH';
        return { type: 'failed', status: responseCode ?? null, error: sentence(code, responseCode), response: response?.slice(0, 1_024) ?? null, retryAfterMs: null, final, gone: false };
      }
    },
    close: () => transport.close(),
  };
}

const statusOf = (response: string): number | null => (/^\d{3}/.test(response) ? Number(response.slice(0, 3)) : null);

function sentence(code: string | undefined, status: number | undefined): string {
  if (code === 'EAUTH') return 'the mail server refused the user and password of OHM_SMTP_URL';
  if (status !== undefined) return `the mail server answered ${status}`;
  return code === 'ECONNECTION' || code === 'ETIMEDOUT' || code === 'ESOCKET' || code === 'EDNS' ? `the mail server cannot be reached (${code})` : `the mail could not be sent (${code ?? 'no reason given'})`;
}
