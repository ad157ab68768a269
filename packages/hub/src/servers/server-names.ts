import { AppError, type ServerConfig } from '@dataagent/schema'
import { sha256 } from '../canonical-json.ts'
import { ownServerId } from '../define-tool/index.ts'
import type { RegisteredServer } from './contract.ts'
import { imitates } from './imitation.ts'

/** Refuses a name that people or models could take for our own tools. */
export function assertOwnNames(names: readonly (string | undefined)[]): void {
  for (const name of names) {
    if (name === undefined) continue
    if (imitates(name, ownServerId)) {
      const message = `the name "${name}" is kept for the tools of ${ownServerId}: choose another`
      throw new AppError('invalid_request', message)
    }
    if (name.trim() !== name) {
      throw new AppError('invalid_request', `the name "${name}" begins or ends with a space`)
    }
  }
}

/** Names and aliases of one owner's servers are one set: none may stand for two. */
export function assertFreeNames(config: ServerConfig, others: Iterable<RegisteredServer>): void {
  const wanted = namesOf(config)
  for (const other of others) {
    const name = namesOf(other.config).find((taken) => wanted.includes(taken))
    if (name !== undefined) throw nameTaken(name)
  }
}

export function nameTaken(name: string): AppError {
  return new AppError('conflict', `a server named "${name}" exists already: choose another name`)
}

function namesOf({ name, alias }: ServerConfig): string[] {
  return alias === undefined || alias === name ? [name] : [name, alias]
}

const slugMax = 48
const ownerDigits = 12

/**
 * The id of a server: an ASCII form of its name. That of a user's own server ends in `@` and a
 * digest of the user, so that no user can take, or find out by trying, an id of anyone else.
 */
export function toServerId(name: string, owner: string, number = 1): string {
  const slug = toSlug(name)
  const counted = number === 1 ? slug : `${slug}-${number}`
  return owner === '' ? counted : `${counted}@${sha256(owner).slice(0, ownerDigits)}`
}

/**
 * The id of a server of a user's file: the same for the same name, whatever else is there, and
 * never that of a stored one.
 */
export function toFileServerId(name: string, owner: string): string {
  return `${toSlug(name)}@${sha256(`${owner}\n${name}`).slice(0, ownerDigits)}`
}

/** An id as the caller chose it. */
export function toChosenId(server_id: string, owner: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/.test(server_id)) {
    const expected = '1 to 64 letters, digits or . _ + -, the first a letter or digit'
    throw new AppError('invalid_request', `server_id: expected ${expected}`)
  }
  assertOwnNames([server_id])
  return owner === '' ? server_id : `${server_id}@${sha256(owner).slice(0, ownerDigits)}`
}

function toSlug(name: string): string {
  const ascii = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '')
  const slug = ascii.replaceAll(/[^a-z0-9]+/g, '-').slice(0, slugMax)
  return slug.replaceAll(/^-+|-+$/g, '') || 'server'
}
