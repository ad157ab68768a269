import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isPlainObject, type JsonObject, parseJson } from '@dataagent/schema/base'
import { changeFile } from '../change-file.ts'
import type { Entry } from '../expand-entry.ts'
import { readText } from '../read-text.ts'

/** What was agreed to: this definition under this name in this folder, and no other. */
export interface TrustKey {
  /** Its real path. */
  folder: string
  name: string
  hash: string
}

export type TrustVerdict = 'trusted' | 'refused'

/**
 * What the person at this machine has said to servers of projects. It is in their own folder: a
 * project cannot bring it along.
 */
export interface TrustStore {
  /** Undefined where nobody was asked, or the definition is another one now. Never rejects. */
  verdictOf(key: TrustKey): Promise<TrustVerdict | undefined>
  record(key: TrustKey, verdict: TrustVerdict): Promise<void>
  /** They are asked again. */
  forgetRefusals(folder: string): Promise<void>
}

type Agreement = TrustKey & { verdict: TrustVerdict; at: string }

const agreementsMax = 2_000

export function createTrustStore({ home }: { home: string }): TrustStore {
  const path = join(home, '.deepagents', 'mcp-trust.json')

  const change = (next: (agreements: Agreement[]) => Agreement[]) =>
    changeFile(path, (text) => {
      const agreements = next(read(text)).slice(-agreementsMax)
      return { text: `${JSON.stringify({ agreements }, null, 2)}\n` }
    })

  return {
    async verdictOf(key) {
      const file = await readText(path)
      const agreements = read(file.status === 'ok' ? file.text : undefined)
      const found = agreements.findLast((one) => isSamePlace(one, key))
      return found?.hash === key.hash ? found.verdict : undefined
    },
    record(key, verdict) {
      const { folder, name, hash } = key
      const agreement = { folder, name, hash, verdict, at: new Date().toISOString() }
      return change((all) => [...all.filter((one) => !isSamePlace(one, key)), agreement])
    },
    forgetRefusals: (folder) =>
      change((all) => all.filter((one) => one.folder !== folder || one.verdict !== 'refused')),
  }
}

/** Of a definition before variables are put in. Whether it is switched off is not asked about. */
export function hashOf({ name: _name, disabled: _disabled, ...definition }: Entry): string {
  return createHash('sha256').update(toCanonical(definition)).digest('hex')
}

/** What cannot be read has agreed to nothing. */
function read(text: string | undefined): Agreement[] {
  try {
    const value = text === undefined ? undefined : parseJson(text)
    const { agreements } = isPlainObject(value) ? (value as JsonObject) : {}
    return Array.isArray(agreements) ? (agreements as unknown[]).filter(isAgreement) : []
  } catch {
    return []
  }
}

function isAgreement(value: unknown): value is Agreement {
  if (!isPlainObject(value)) return false
  const { folder, name, hash, verdict } = value
  const isNamed = [folder, name, hash].every((text) => typeof text === 'string')
  return isNamed && (verdict === 'trusted' || verdict === 'refused')
}

function isSamePlace(one: TrustKey, other: TrustKey): boolean {
  return one.folder === other.folder && one.name === other.name
}

function toCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonical).join(',')}]`
  if (!isPlainObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${toCanonical(one)}`).join(',')}}`
}
