import type { ServerResponse } from 'node:http'
import type { Groups } from '../groups/index.ts'
import type { Peers } from '../peers/index.ts'
import type { Caller } from '../protocol/index.ts'

/** Has open streams looked at when what opened them may have been taken back. */
export interface StreamWatch {
  /** Until the response closes; `look` must not throw. */
  add(caller: Caller, response: ServerResponse, look: () => void): void
  /** Grants were taken back: the streams of every process are looked at. */
  tellAll(): Promise<void>
  close(): void
}

export interface StreamWatchOptions {
  groups: Pick<Groups, 'onChange'>
  peers: Pick<Peers, 'tell' | 'on'>
}

const kind = 'taken_back'

export function createStreamWatch({ groups, peers }: StreamWatchOptions): StreamWatch {
  const watched = new Set<{ tenant_id: string; look(): void }>()

  function lookAt(tenant_id?: string | undefined): void {
    for (const one of [...watched]) {
      if (tenant_id === undefined || one.tenant_id === tenant_id) one.look()
    }
  }

  peers.on(kind, () => lookAt())

  return {
    add({ principal }, response, look) {
      const one = { tenant_id: principal.tenant_id, look }
      watched.add(one)
      response.on('close', () => watched.delete(one))
    },
    tellAll: () => peers.tell({ kind }),
    close: groups.onChange(lookAt),
  }
}
