import Link from 'next/link';
import { Chip, Table, TBody, Td, Th, THead, Time, TRow, ZoneName } from '@/app/_ui';
import type { DeliveryView } from '@/lib/management/schemas';
import { resendDeliveryAction } from '../actions';
import { Act } from './alert-acts';
import { DELIVERY_LOOK } from './alert-words';

/** What was sent, to whom, and what became of it. */
export function DeliveryTable({ deliveries, slug, mayResend }: { deliveries: DeliveryView[]; slug: string; mayResend: boolean }) {
  return (
    <Table caption="Deliveries">
      <THead><Th>Made (<ZoneName />)</Th><Th>Message</Th><Th>Channel</Th><Th>State</Th><Th figure>Tries</Th><Th>What came back</Th>{mayResend ? <Th><span className="sr-only">Send again</span></Th> : null}</THead>
      <TBody>
        {deliveries.map((delivery) => (
          <TRow key={delivery.id}>
            <Td className="align-top"><Time at={delivery.created_at} zone={false} /></Td>
            <Td className="min-w-56 align-top"><Message delivery={delivery} slug={slug} /></Td>
            <Td className="min-w-40 align-top">{delivery.channel.name ?? <span className="text-muted">deleted</span>}<span className="block text-xs break-all text-muted">{delivery.target}</span></Td>
            <Td className="align-top"><Chip tone={DELIVERY_LOOK[delivery.state].tone}>{DELIVERY_LOOK[delivery.state].word}</Chip></Td>
            <Td figure className="align-top">{delivery.tries}</Td>
            <Td className="min-w-48 align-top"><Outcome delivery={delivery} /></Td>
            {mayResend ? <Td className="align-top"><Act size="sm" action={resendDeliveryAction.bind(null, slug, delivery.id)} label={delivery.state === 'queued' ? 'Send now' : 'Send again'} name={`Send again: ${delivery.subject}, to ${delivery.channel.name ?? 'a deleted channel'}`} done="Queued to be sent" /></Td> : null}
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}

function Message({ delivery: { alert_id, alert_name, message, text }, slug }: { delivery: DeliveryView; slug: string }) {
  return (
    <details>
      <summary className="cursor-pointer">{message.replace('alert.', '')}: {text.split('\n')[0]}</summary>
      <pre className="mt-1 max-w-xl rounded-md bg-sunken p-2 text-xs whitespace-pre-wrap break-words">{text}</pre>
      <Link className="link text-xs" href={`/${slug}/alerts/${alert_id}`}>{alert_name}</Link>
    </details>
  );
}

function Outcome({ delivery: { last_status, last_error, last_response, last_try_at, next_try_at, state } }: { delivery: DeliveryView }) {
  return (
    <div className="text-xs">
      {last_error !== null ? <p>{last_error}</p> : last_status !== null ? <p>{last_status}</p> : state === 'queued' ? <p className="text-muted">not tried yet</p> : null}
      {last_response !== null && last_response !== '' ? <details><summary className="cursor-pointer text-muted">Response</summary><pre className="mt-1 max-w-xl rounded-md bg-sunken p-2 whitespace-pre-wrap break-all">{last_response}</pre></details> : null}
      {last_try_at !== null ? <p className="text-muted">tried <Time at={last_try_at} format="relative" /></p> : null}
      {next_try_at !== null ? <p className="text-muted">next try <Time at={next_try_at} /></p> : null}
    </div>
  );
}
