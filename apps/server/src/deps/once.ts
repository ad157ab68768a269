import { createHash, randomUUID } from 'node:crypto'
import type { Kv, Lease, Vault } from '@dataagent/hub'
import { AppError, parseJson } from '@dataagent/schema'
import { z } from 'zod'
import type { Answer, Once } from './add-routes.ts'
import type { Call, Route } from './route.ts'

export interface OnceOptions {
  /** Throws `store_unavailable` while they are away. */
  stores(): { kv: Kv; vault: Vault }
}

const keptMs = 24 * 60 * 60 * 1000
const leaseMs = 15_000
/** An answer longer than this is not kept: whoever repeats the request is told that it was done. */
const longestAnswer = 262_144
/** How many answers one user may have kept. */
const keptPerUser = { max: 1_000, windowMs: 3_600_000 }

/** `asked` is the digest of what was asked; without a status the answer itself was not kept. */
const keptSchema = z.object({
  asked: z.string(),
  status: z.int().optional(),
  body: z.string().optional(),
})
type Kept = z.infer<typeof keptSchema>

/**
 * Keeps answers for a day, sealed, under who calls, by which credential and in which role, the
 * route and the caller's Idempotency-Key. While the first request is under way, in whichever
 * process, others of the same key are told to come back. What failed is not kept: it may be tried
 * again.
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
    const early = await slot.read()
    if (early) return replay(call, early, asked)
    const lease = await slot.begin()
    if (!lease) throw stillUnderWay()
    const stopRenewing = keepRenewing(lease)
    try {
      const late = await slot.read()
      if (late) return replay(call, late, asked)
      await assertRoom(kv, call)
      const answer = await work()
      const kept = isKeepable(route, answer) ? answer : {}
      // What is done cannot be undone because it could not be noted.
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

async function assertRoom(kv: Kv, { principal: { tenant_id, user_id } }: Call): Promise<void> {
  const room = await kv.count(`idempotency-kept:${digest([tenant_id, user_id])}`, keptPerUser)
  if (room.status === 'ok') return
  const { retryAfterMs } = room
  const message = `You may send ${keptPerUser.max} requests with an Idempotency-Key in an hour.`
  throw new AppError('rate_limited', message, { data: { retryAfterMs } })
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
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

function replay({ reply }: Call, kept: Kept, asked: string): Answer {
  if (kept.asked !== asked)
    throw new AppError('conflict', 'This Idempotency-Key was used for another request.')
  if (kept.status === undefined)
    throw new AppError('conflict', 'This request was done; its answer was not kept.')
  reply.header('idempotency-replayed', 'true')
  return { status: kept.status, body: kept.body }
}

function stillUnderWay(): AppError {
  const message = 'The first request with this Idempotency-Key is still under way.'
  return new AppError('conflict', message, { data: { retryAfterMs: 1_000 } })
}

function isKeepable(route: Route, answer: Answer | undefined): answer is Answer {
  if (answer === undefined || route.secretAnswer) return false
  return answer.status < 300 && (answer.body?.length ?? 0) <= longestAnswer
}
