import { type Failure, failure } from '../../wire';
import type { Answer } from './answer';
import type { Input, Phase } from './machine';

/** Names the failure behind an input that carries none of its own. */
export function failureOf(input: Input, phase: Phase, answer: Answer, status: number | null): Failure {
  switch (input) {
    case 'error':
      return answer.failure ?? failure('server_error', 'an error object without a description', { upstreamStatus: status });
    case 'silence':
      return phase === 'connecting' ? failure('timeout', 'no response header in time') : failure('stalled', stalled(phase), { upstreamStatus: status });
    case 'deadline':
      return failure('deadline', "the route's deadline passed");
    case 'drain':
      return failure('draining', 'the gateway is shutting down');
    case 'cut':
      return failure('cut', 'the connection broke', { upstreamStatus: status });
    case 'end':
    case 'terminator':
      return answer.events === 0
        ? failure('not_a_stream', 'an empty stream', { upstreamStatus: status })
        : failure('cut', 'the stream ended without a finish_reason', { upstreamStatus: status });
    case 'malformed':
      return failure('malformed', answer.malformedDetail ?? 'a frame that is not JSON', { upstreamStatus: status });
    default:
      return failure('malformed', `a bound was exceeded (${input})`, { upstreamStatus: status });
  }
}

const stalled = (phase: Phase): string => (phase === 'preamble' ? 'headers, then no content in time' : 'silence in the middle of the answer');
