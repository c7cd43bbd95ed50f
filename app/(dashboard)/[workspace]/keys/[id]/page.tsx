import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { found } from '@/app/_shell/found';
import { callSnippets } from '@/app/_shell/snippets';
import { SnippetTabs } from '@/app/_shell/snippet-tabs';
import { Breadcrumbs, Facts, LinkButton, Mono, Notice, PageHeader, Section, Time } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { candidatesOf, type KeyView } from '@/lib/management/schemas';
import { getKey, keyBudgets, keyRates, listConnections, listRoutes, mayAct } from '@/lib/tenancy';
import { ConfirmByName } from '../../_components/confirm-by-name';
import { everyPage } from '../../_components/every-page';
import { LimitsLeft } from '../../_limits/limits-left';
import { ecoReach } from '../_components/eco-reach';
import { DisableKeyForm, EditKeyForm } from '../_components/key-forms';
import { KeyStateChip } from '../_components/key-state';
import { autoWords, defaultRouteWords, hasOwnTiers, modelNameWords, modelToTry } from '../_components/key-words';
import { ReplaySection } from '../_components/replay-section';
import { saversDefaults } from '../_components/savers-defaults';
import { SaversSection } from '../_components/savers-section';
import { RotateKey } from '../_components/rotate-key';
import { revokeKeyAction, rotateKeyAction, setKeyDisabledAction, updateKeyAction } from '../actions';

/** Asked here too: what is not there must not have this page's title. */
export async function generateMetadata({ params }: { params: Promise<{ workspace: string; id: string }> }): Promise<Metadata> {
  const { workspace, id } = await params;
  const { actor } = await requireMember(workspace);
  const { tenancy } = await runtime();
  const { name } = await found(getKey(tenancy, actor, { id }));
  return { title: `Key ${name}` };
}

export default async function KeyPage({ params }: { params: Promise<{ workspace: string; id: string }> }) {
  const { workspace: slug, id } = await params;
  const { actor } = await requireMember(slug);
  const { tenancy, standings, env } = await runtime();
  const key = await found(getKey(tenancy, actor, { id }));
  const [rates, budgets] = await Promise.all([found(keyRates(tenancy, standings, actor, { id })), found(keyBudgets(tenancy, actor, { id }))]);
  const [listed, connections] = await found(Promise.all([everyPage((page) => listRoutes(tenancy, actor, page)), everyPage((page) => listConnections(tenancy, actor, page))]));
  const routes = listed.map((route) => route.name);
  const mayEdit = mayAct(actor.role, 'developer');
  return (
    <>
      <Breadcrumbs items={[{ label: 'Keys', href: `/${slug}/keys` }, { label: key.name }]} />
      <PageHeader title={key.name} actions={<LinkButton href={`/${slug}/calls?key=${id}`}>Calls with this key</LinkButton>}>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-sm text-muted"><KeyStateChip value={key} nowMs={Date.now()} /> <Mono>{key.masked}</Mono></p>
      </PageHeader>
      {key.state === 'expired' ? <Notice tone="warning" className="mb-6">It expired and is refused like an unknown key. Give it a later expiry, or issue another.</Notice> : null}
      <div className="grid items-start gap-x-6 xl:grid-cols-2">
        <div className="min-w-0">
          <About keyView={key} modelNames={modelNameWords(key, ecoReach(listed, connections))} />
          <LimitsLeft rates={rates.data} budgets={budgets.data} of="key" />
          <ReplaySection keyView={key} workspaceId={actor.workspaceId} slug={slug} mayForget={mayEdit} />
          <SaversSection keyView={key} slug={slug} mayEdit={mayEdit} />
          <Section title="Use it" bare><SnippetTabs snippets={callSnippets({ origin: env.publicUrl, model: modelToTry(key) })} /></Section>
        </div>
        {mayEdit ? (
          <div className="min-w-0">
            <Section title="Edit" lead="Takes effect in every process within 5 seconds.">
              <EditKeyForm
                action={updateKeyAction.bind(null, slug, id, key.revision)} revision={key.revision} routes={routes}
                defaults={{ name: key.name, defaultRoute: key.default_route, strictRoute: key.strict_route, directModels: key.direct_models, ownTiers: hasOwnTiers(key), replay: key.replay, saving: saversDefaults(slug, key), limits: key.limits, expiresAt: key.expires_at }}
              />
            </Section>
            <Ending keyView={key} slug={slug} origin={env.publicUrl} />
          </div>
        ) : null}
      </div>
    </>
  );
}

function About({ keyView: key, modelNames }: { keyView: KeyView; modelNames: string }) {
  return (
    <Section title="About">
      <Facts
        items={[
          { name: 'Last used', value: key.last_used_at === null ? 'never' : <><Time at={key.last_used_at} /> <span className="text-muted">(to the minute)</span></> },
          ...(hasOwnTiers(key) ? [{ name: 'Own tiers', value: <OwnTiers keyView={key} /> }] : []),
          { name: 'Default route', value: defaultRouteWords(key) },
          { name: 'Model names', value: modelNames },
          { name: 'Expires', value: <Time at={key.expires_at} /> },
          { name: 'Issued', value: <Time at={key.created_at} /> },
          ...(key.previous_token_valid_until ? [{ name: 'Old token', value: <>works until <Time at={key.previous_token_valid_until} /></> }] : []),
          { name: 'Id', value: <Mono>{key.id}</Mono> },
        ]}
      />
    </Section>
  );
}

/** Made over the management API; the form beside it leaves them as they are. */
function OwnTiers({ keyView: key }: { keyView: KeyView }) {
  return (
    <>
      <ol className="grid gap-0.5">
        {(key.tiers ?? []).map((tier, index) => (
          <li key={index} className="flex gap-2"><span className="text-muted tabular-nums">{index + 1}</span><Mono className="break-words">{candidatesOf(tier).map(({ connection, model }) => `${connection}/${model}`).join(' or ')}</Mono>{'eco' in tier ? <span className="text-muted">whichever is cheapest</span> : null}</li>
        ))}
      </ol>
      <span className="text-muted">A private route, tried in this order: {autoWords(key)}.</span>
    </>
  );
}

function Ending({ keyView: key, slug, origin }: { keyView: KeyView; slug: string; origin: string }) {
  const { id, name, revision } = key;
  return (
    <Section title="Rotate, disable, revoke">
      <dl className="mb-4 grid gap-2 text-sm">
        <div><dt className="inline font-medium">Rotate</dt> <dd className="inline text-muted">makes a new token for the same key; the old one may overlap.</dd></div>
        <div><dt className="inline font-medium">Disable</dt> <dd className="inline text-muted">refuses it until you enable it again.</dd></div>
        <div><dt className="inline font-medium">Revoke</dt> <dd className="inline text-muted">ends it for good. Its calls stay in the ledger.</dd></div>
      </dl>
      <p className="mb-4 text-sm">Each holds in every process within 5 seconds. A stream that is open goes on to its end.</p>
      <div className="flex flex-wrap gap-2">
        <RotateKey action={rotateKeyAction.bind(null, slug, id)} origin={origin} disabled={key.state === 'expired'} />
        <DisableKeyForm action={setKeyDisabledAction.bind(null, slug, id, revision, !key.disabled)} disabled={key.disabled} />
        <ConfirmByName
          action={revokeKeyAction.bind(null, slug, id, name)} name={name} button="Revoke key"
          title={`Revoke ${name}`} description={<>Clients that present it are refused with 401 within 5 seconds, and for good. See <Link className="link" href={`/${slug}/calls?key=${id}`}>what uses it</Link> first.</>}
        />
      </div>
    </Section>
  );
}
