import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { sha256 } from '../canonical-json.ts'
import { noHash } from './chain.ts'
import type { AnchorRow, CallLogRows } from './contract.ts'
import type { ChainHead } from './journal-lines.ts'

/**
 * The writer under whose name the register of a tenant's writers is kept: a chain of anchors of its
 * own, so that a writer cannot vanish as a whole. No writer of calls has this name.
 */
export const register = '*'

/** An anchor says two things: a hash, and what it is the hash of or how long the register was. */
export interface AnchorParts {
  digest: string
  note: string
}

/** Puts anchors. Each may reject as `CallLogRows` does; then it can be tried again. */
export interface Anchors {
  put(heads: readonly ChainHead[]): Promise<void>
  /** Its register begins anew, after what is being put. */
  forget(tenant_id: string): Promise<void>
}

export interface AnchorsOptions {
  rows: CallLogRows
  key: string | Uint8Array
  clock: Clock
}

type Unsigned = Pick<AnchorRow, 'tenant_id' | 'writer' | 'seq' | 'hash'>

interface RegisterHead {
  seq: number
  digest: string
}

const page = 500

/**
 * An anchor of a head also says how many writers the tenant's register had: later anchors of one
 * writer witness the others.
 */
export function createAnchors({ rows, key, clock }: AnchorsOptions): Anchors {
  const registers = new Map<string, RegisterHead>()
  const registered = new Map<string, Set<string>>()
  let last: Promise<unknown> = Promise.resolve()

  async function putAll(heads: readonly ChainHead[]): Promise<void> {
    const anchors: AnchorRow[] = []
    for (const head of heads) anchors.push(await toAnchor(head))
    await rows.putAnchors(anchors)
  }

  async function toAnchor({ tenant_id, writer, seq, hash }: ChainHead): Promise<AnchorRow> {
    await enter(tenant_id, writer)
    const { head } = await readRegister(tenant_id, registers.get(tenant_id))
    registers.set(tenant_id, head)
    return sign({ tenant_id, writer, seq, hash: `${hash} ${head.seq}` })
  }

  /** Enters a writer into the register, where another process may enter one at the same time. */
  async function enter(tenant_id: string, writer: string): Promise<void> {
    while (!registered.get(tenant_id)?.has(writer)) {
      const { head, writers } = await readRegister(tenant_id)
      if (!writers.has(writer)) {
        const hash = `${toRegisterDigest(head.digest, writer)} ${writer}`
        await rows.putAnchors([sign({ tenant_id, writer: register, seq: head.seq + 1, hash })])
      } else registered.set(tenant_id, writers)
    }
  }

  async function readRegister(tenant_id: string, from?: RegisterHead) {
    let head = from ?? { seq: 0, digest: noHash }
    const writers = new Set<string>()
    for (;;) {
      const entries = await rows.anchors(tenant_id, register, head.seq, page)
      for (const { seq, hash } of entries) {
        const { digest, note } = parseAnchor(hash)
        writers.add(note)
        head = { seq, digest }
      }
      if (entries.length < page) return { head, writers }
    }
  }

  const sign = (anchor: Unsigned) => signAnchor({ ...anchor, anchored_at: clock.now() }, key)

  function inTurn(work: () => void | Promise<void>): Promise<void> {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  return {
    put: (heads) => inTurn(() => putAll(heads)),
    forget: (tenant_id) =>
      inTurn(() => {
        registers.delete(tenant_id)
        registered.delete(tenant_id)
      }),
  }
}

export function parseAnchor(hash: string): AnchorParts {
  const space = hash.indexOf(' ')
  return { digest: hash.slice(0, space), note: hash.slice(space + 1) }
}

/** What an entry of the register must say after the one with the digest `previous`. */
export function toRegisterDigest(previous: string, writer: string): string {
  return sha256(`${previous} ${writer}`)
}

/** Whether the key was needed to make this anchor. */
export function isGenuine(anchor: AnchorRow, key: string | Uint8Array): boolean {
  const [mac, given] = [Buffer.from(toMac(anchor, key)), Buffer.from(anchor.mac)]
  return mac.length === given.length && timingSafeEqual(mac, given)
}

export function signAnchor(anchor: Omit<AnchorRow, 'mac'>, key: string | Uint8Array): AnchorRow {
  return { ...anchor, mac: toMac(anchor, key) }
}

function toMac(anchor: Omit<AnchorRow, 'mac'>, key: string | Uint8Array): string {
  const { tenant_id, writer, seq, hash, anchored_at } = anchor
  const text = JSON.stringify(['dataagent audit anchor', tenant_id, writer, seq, hash, anchored_at])
  return createHmac('sha256', key).update(text).digest('hex')
}
