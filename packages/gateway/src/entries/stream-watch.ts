import type { ServerResponse } from 'node:http'
import type { Groups } from '../groups/index.ts'
import type { Caller } from '../protocol/index.ts'
import type { Tokens } from '../tokens/index.ts'

/** Has what is open looked at when what opened it may have been taken back. */
export interface StreamWatch {
  /** Until the response closes; `look` must not throw. */
  add(caller: Caller, response: ServerResponse, look: () => void): void
  close(): void
}

export interface StreamWatchOptions {
  groups: Pick<Groups, 'onChange'>
  tokens: Pick<Tokens, 'onEnded'>
}

export function createStreamWatch({ groups, tokens }: StreamWatchOptions): StreamWatch {
  const watched = new Set<{ caller: Caller; look(): void }>()
  const ends = new DisposableStack()

  function lookAt(isMeant: (caller: Caller) => boolean): void {
    for (const { caller, look } of [...watched]) if (isMeant(caller)) look()
  }

  ends.defer(
    groups.onChange((tenant_id) =>
      lookAt(({ principal }) => tenant_id === undefined || principal.tenant_id === tenant_id),
    ),
  )
  ends.defer(
    tokens.onEnded((grant_ids) => {
      const ended = grant_ids && new Set(grant_ids)
      lookAt(({ owner_key }) => ended?.has(owner_key) ?? true)
    }),
  )

  return {
    add(caller, response, look) {
      const one = { caller, look }
      watched.add(one)
      response.on('close', () => watched.delete(one))
    },
    close: () => ends.dispose(),
  }
}
