/** What the gateway's own table of failures says, as clauses; made on the server from that table. */
export interface FailoverPolicy {
  /** Before content: the next tier is asked. */
  movesOn: string[];
  /** The caller's own fault: returned as it is. */
  returned: string[];
}

export function FailoverWords({ policy, next }: { policy: FailoverPolicy; /** Number of the tier that follows. */ next: number | null }) {
  return (
    <div className="mt-2 grid gap-3 text-xs sm:grid-cols-2">
      <Reasons
        title={next === null ? 'The call is rejected with one honest error, because no tier follows, when' : `Tier ${next} is asked, and the client has seen nothing, when`}
        reasons={policy.movesOn}
      />
      <div className="flex flex-col gap-3">
        <Reasons title="It is asked once more first, on a fresh connection, after" reasons={RETRIED} />
        <Reasons title="The answer is returned as it is and nobody else is asked when" reasons={policy.returned} />
        <p className="text-muted">
          Once content has reached the client, nothing moves on: the stream ends with an error frame and without [DONE].
        </p>
      </div>
    </div>
  );
}

const RETRIED = [
  'a connection that failed or broke before any header',
  'status 408, 500, 502, 503, 504 or 529',
  'a 429 that asks for at most 2 s of patience',
  'a 200 that died before its first event',
];

function Reasons({ title, reasons }: { title: string; reasons: readonly string[] }) {
  return (
    <div>
      <p className="font-medium">{title}</p>
      <ul className="mt-1 list-disc pl-4 text-muted">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  );
}
