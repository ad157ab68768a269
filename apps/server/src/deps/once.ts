import { randomUUID } from 'node:crypto'
import type { Kv, Lease, Vault } from '@dataagent/hub'
import { AppError, isPlainObject, parseJson } from '@dataagent/schema'
import { z } from 'zod'
import type { Answer, Once } from './add-routes.ts'
import { createKeptRoom, digest, type KeptRoom, keptMs } from './kept-room.ts'
import type { Call, Route } from './route.ts'

export interface OnceOptions {
  /** Throws `store_unavailable` while they are away. */
  stores(): { kv: Kv; vault: Vault }
}

const leaseMs = 15_000
/** Bytes: of a longer answer no more is kept than the ids of what was made. */
const longestAnswer = 16_384
const longestId = 128

/** `asked` is the digest of what was asked; without a status the answer itself was not kept. */
const keptSchema = z.object({
  asked: z.string(),
  status: z.int().optional(),
  body: z.string().optional(),
  ids: z.record(z.string(), z.string()).optional(),
})
type Kept = z.infer<typeof keptSchema>

/**
 * Keeps answers for a day, sealed, under who calls, by which credential and in which role, the
 * route and the caller's Idempotency-Key; of long ones, and where there is no room, only that the
 * request was done. While the first request is under way, in whichever process, others of the same
 * key are told to come back. What failed is not kept: it may be tried again.
 */
export function createOnce({ stores }: OnceOptions): Once {
  return async (call, route, work) => {
    const { kv, vault } = stores()
    const slot = createSlot({
      kv,
      vault,
      tenant: call.principal.tenant_id,
      name: toName(call, route),
    })
    const asked = digest([call.request.url, JSON.stringify(call.request.body ?? null)])
    const repeat = (kept: Kept) => {
      assertSame(kept, asked)
      const isFound = kept.status === undefined && route.findsAgain
      const answer = isFound ? undefined : replay(kept)
      call.reply.header('idempotency-replayed', 'true')
      return answer ?? work()
    }
    const early = await slot.read()
    if (early) return repeat(early)
    const lease = await slot.begin()
    if (!lease) throw stillUnderWay()
    const stopRenewing = keepRenewing(lease)
    try {
      const late = await slot.read()
      if (late) return repeat(late)
      const room = createKeptRoom(kv, call.principal)
      await room.enter()
      const answer = await work()
      // What is done cannot be undone because it could not be noted.
      const kept = await toKept(route, answer, room).catch(() => ({}))
      await slot.write({ asked, ...kept }).catch((error) => {
        call.request.log.warn({ error }, 'an answer could not be kept')
      })
      return answer
    } finally {
      stopRenewing()
      await lease.release().catch(() => {})
    }
  }
}

function toName({ principal, request }: Call, { method, path }: Route): string {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,128}$/.test(key)) {
    throw new AppError(
      'invalid_request',
      'Idempotency-Key has 1 to 128 characters, all printable ASCII.',
    )
  }
  const { tenant_id, user_id, role, api_key = '', acting_user = '' } = principal
  return digest([tenant_id, user_id, role, api_key, acting_user, method, path, key])
}

interface SlotOptions {
  kv: Kv
  vault: Vault
  tenant: string
  name: string
}

/** Where one answer is kept. */
function createSlot({ kv, vault, tenant, name }: SlotOptions) {
  const key = `idempotency:${name}`
  const binding = { tenant, table: 'idempotency', row: name, column: 'answer' }
  return {
    async read(): Promise<Kept | undefined> {
      const envelope = await kv.get(key)
      if (envelope === undefined) return undefined
      return keptSchema.parse(parseJson(await vault.open(envelope, binding)))
    },
    begin: () => kv.acquireLease(key, { ttlMs: leaseMs, owner: randomUUID() }),
    async write(kept: Kept): Promise<void> {
      await kv.set(key, await vault.seal(JSON.stringify(kept), binding), { ttlMs: keptMs })
    },
  }
}

function keepRenewing(lease: Lease): () => void {
  const timer = setInterval(() => void lease.renew().catch(() => {}), leaseMs / 3).unref()
  return () => clearInterval(timer)
}

function assertSame(kept: Kept, asked: string): void {
  if (kept.asked !== asked)
    throw new AppError('conflict', 'This Idempotency-Key was used for another request.')
}

function replay({ status, body, ids }: Kept): Answer {
  if (status !== undefined) return { status, body }
  if (ids === undefined)
    throw new AppError('conflict', 'This request was done; its answer was not kept.')
  const message = 'This request was done; its answer was not kept: read it by its id, in details.'
  throw new AppError('conflict', message, { data: ids })
}

function stillUnderWay(): AppError {
  const message = 'The first request with this Idempotency-Key is still under way.'
  return new AppError('conflict', message, { data: { retryAfterMs: 1_000 } })
}

async function toKept(
  route: Route,
  answer: Answer | undefined,
  room: KeptRoom,
): Promise<Omit<Kept, 'asked'>> {
  if (answer === undefined || route.secretAnswer || answer.status >= 300) return {}
  const { status, body } = answer
  const bytes = Buffer.byteLength(body ?? '')
  if (bytes <= longestAnswer && (await room.take(bytes))) return { status, body }
  return { ids: idsOf(body) }
}

/** The ids that an answer has at its top. */
function idsOf(body: string | undefined): Record<string, string> | undefined {
  const value = body === undefined ? undefined : parseJson(body)
  if (!isPlainObject(value)) return undefined
  const ids = Object.entries(value).filter(
    (entry): entry is [string, string] =>
      entry[0].endsWith('_id') && typeof entry[1] === 'string' && entry[1].length <= longestId,
  )
  return ids.length > 0 ? Object.fromEntries(ids) : undefined
}
