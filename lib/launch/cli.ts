import { parseArgs } from 'node:util';
import { createMailer } from '../alerts';
import { openDatabase } from '../db';
import { rebuildUsage } from '../metering';
import { isRefusal } from '../std';
import { EnvError } from '../std/env';
import { createTenancy } from '../tenancy';
import { bootstrap, type Bootstrapped } from '../tenancy/bootstrap';
import { operatorReset, type OperatorReset, type ResetServices } from '../tenancy/password-reset';
import { bringUp } from './bring-up';
import { StartFailure } from './start-failure';

/**
 * `npm run --silent ohm -- <command>`: the operator's command line, beside a running installation or on a
 * stopped one (whose embedded PostgreSQL it starts for the moment). The answer goes to stdout and nothing else
 * does; what it is doing goes to stderr. Exit code 0: done; 1: refused or failed; 2: not understood.
 */
const USAGE = `Usage: npm run --silent ohm -- bootstrap --email E --password P --workspace W [--json]
       npm run --silent ohm -- reset-password --email E [--password P] [--json]
       npm run --silent ohm -- rebuild-usage

  bootstrap   Makes a person, a workspace and a management key (ohm_mk_…), and prints the key once.
              May be run again: the person is used when the password is theirs, a workspace of theirs
              of that name is used, and the key is a new one each time.
    --email      The person's address.
    --password   Their password, of at least 12 characters; "-" reads it from standard input.
    --workspace  Name of the workspace.
    --json       Prints {"workspace":…,"management_key":…,"installation":…} in place of text.
              The key works with the installation that it is made in, and with no other: run this with the same
              OHM_DATA_DIR or DATABASE_URL as the server. The output names the folder or the database.

  reset-password   Prints a link, once, with which a person sets a new password, or sets the one that is given. Ends
              their sessions; keys of their workspaces stay. Until the link is used the old password holds.
              Run it with the same OHM_DATA_DIR or DATABASE_URL as the server: it makes no installation. The link's
              address is OHM_PUBLIC_URL, or that of the server that runs, or else this machine's at PORT.
    --email      The person's address.
    --password   The new password, of at least 12 characters; "-" reads it from standard input.
    --json       Prints {"user_id":…,"email":…,"link":…,"expires_at":…,"sessions_ended":…} in place of text.

  rebuild-usage   Sums all calls anew from their rows, while the installation runs. The sums come out as they
              were: it is there to be tried, and for a database that was restored in part.
`;

const say = (line: string) => process.stderr.write(`ohm: ${line}\n`);

/** What a verb has to say beside its result: its failures; what it did is the answer. */
const LOG: ResetServices['log'] = { info: () => undefined, warn: (fields, message) => say(`warning: ${message} ${JSON.stringify(fields)}`) };

class UsageError extends Error {}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.exitCode = explain(error);
  },
);

async function main(args: string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command === undefined || command === 'help' || args.includes('--help')) {
    process.stdout.write(USAGE);
    return command === undefined ? 2 : 0;
  }
  if (command === 'rebuild-usage') return await rebuild(rest);
  if (command === 'reset-password') return await resetPassword(rest);
  if (command !== 'bootstrap') throw new UsageError(`There is no command "${command}".`);
  const options = bootstrapOptions(rest);
  const password = options.password === '-' ? await fromStdin() : options.password;
  const { result, installation } = await onInstallation({ makes: true }, async ({ tenancy, installation }) => ({ result: await bootstrap(tenancy, { ...options, password }), installation }));
  process.stdout.write(options.json ? `${JSON.stringify({ ...asJson(result), installation })}\n` : asText(result));
  say(`the key works with a server of this installation only: ${installation}`);
  if (result.passwordWarning !== null) say(`warning: the password ${result.passwordWarning}`);
  return 0;
}

async function resetPassword(args: string[]): Promise<number> {
  const { email, password, json } = optionsOf(args, { email: { type: 'string' }, password: { type: 'string' }, json: { type: 'boolean' } });
  requireGiven({ email });
  if (password === '') throw new UsageError('--password is empty.');
  const chosen = password === '-' ? await fromStdin() : (password ?? null);
  const { result, installation, addressKnown } = await onInstallation({ makes: false }, async (services) => {
    say(`in the installation ${services.installation}`); // also where it then finds nobody: it may be another than was meant
    return { result: await operatorReset(services, { email: email!, password: chosen }), installation: services.installation, addressKnown: services.addressKnown };
  });
  process.stdout.write(json ? `${JSON.stringify({ ...resetAsJson(result), installation })}\n` : resetAsText(result));
  if (result.link !== null && !addressKnown) say('the address of the link is a guess from PORT: no server of this installation was found running, and OHM_PUBLIC_URL is not set');
  if (result.passwordWarning !== null) say(`warning: the password ${result.passwordWarning}`);
  return 0;
}

async function rebuild(args: string[]): Promise<number> {
  if (args.length > 0) throw new UsageError('rebuild-usage takes no options.');
  const calls = await onInstallation({ makes: false }, ({ tenancy }) => rebuildUsage(tenancy.db));
  process.stdout.write(`Summed ${calls} calls anew.\n`);
  return 0;
}

function bootstrapOptions(args: string[]): { email: string; password: string; workspace: string; json: boolean } {
  const { email, password, workspace, json = false } = optionsOf(args, { email: { type: 'string' }, password: { type: 'string' }, workspace: { type: 'string' }, json: { type: 'boolean' } });
  requireGiven({ email, password, workspace });
  return { email: email!, password: password!, workspace: workspace!, json };
}

function optionsOf<const O extends Record<string, { type: 'string' | 'boolean' }>>(args: string[], options: O) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}.`);
  }
}

function requireGiven(values: Record<string, string | undefined>): void {
  const missing = Object.entries(values).flatMap(([name, value]) => (value ? [] : [`--${name}`]));
  if (missing.length > 0) throw new UsageError(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`);
}

/** The first line: a password has none inside. */
async function fromStdin(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk as string;
  return text.split(/\r?\n/, 1)[0] ?? '';
}

async function onInstallation<T>({ makes }: { makes: boolean }, work: (services: ResetServices & { installation: string; addressKnown: boolean }) => Promise<T>): Promise<T> {
  const { env, installation, addressKnown, failed, release } = await bringUp({ log: say, serves: false, makes });
  try {
    const db = await openDatabase({ ownerUrl: env.databaseUrl, secret: env.secret, poolSize: 2, timeoutMs: 30_000 });
    const mailer = createMailer(env.mail);
    const tenancy = createTenancy({ db, secret: env.secret, mail: env.mail === null ? null : mailer.send });
    try {
      return await work({ tenancy, env, log: LOG, installation, addressKnown });
    } finally {
      await tenancy.close();
      mailer.close();
      await db.close();
    }
  } catch (error) {
    const why = isRefusal(error) && error.code !== 'unavailable' ? null : await failed(error);
    throw why === null ? error : new StartFailure(why);
  } finally {
    await release();
  }
}

function asJson(result: Bootstrapped): Record<string, unknown> {
  return {
    workspace: result.workspace.slug,
    workspace_id: result.workspace.id,
    user_id: result.user.id,
    management_key: result.managementKey,
  };
}

function asText({ user, workspace, managementKey }: Bootstrapped): string {
  return [
    `${user.made ? 'Made the person' : 'Used the person'} ${user.email}.`,
    `${workspace.made ? 'Made the workspace' : 'Used the workspace'} "${workspace.name}" (/${workspace.slug}).`,
    `Management key, shown this once: ${managementKey}`,
    '',
  ].join('\n');
}

function resetAsJson({ user, link, sessionsEnded }: OperatorReset): Record<string, unknown> {
  return { user_id: user.id, email: user.email, link: link?.url ?? null, expires_at: link?.expiresAt.toISOString() ?? null, sessions_ended: sessionsEnded };
}

function resetAsText({ user, link, sessionsEnded }: OperatorReset): string {
  return [
    ...(link === null ? [`Set a new password for ${user.email}.`] : [`A new password for ${user.email} can be set once, until ${link.expiresAt.toISOString()}, at`, link.url]),
    `Sessions ended: ${sessionsEnded}.${link === null ? '' : ' Until the link is used the old password holds.'}`,
    '',
  ].join('\n');
}

function explain(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`ohm: ${error.message}\n\n${USAGE}`);
    return 2;
  }
  if (isRefusal(error)) say(error.message);
  else if (error instanceof EnvError || error instanceof StartFailure) error.message.split('\n').forEach(say);
  else say(`could not do it: ${reason(error)}`);
  return 1;
}

/** The innermost cause: what wraps it may carry a statement's parameters. */
function reason(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause instanceof Error ? cause.message : String(cause);
}
