import { randomBytes } from 'node:crypto'
import { AppError, parseJson } from '@dataagent/schema'
import { z } from 'zod'
import type { Fact, MemoryOwner } from './contract.ts'

const idPattern = /^([0-9a-z]{9})-[0-9a-f]{16}$/

const factFileSchema = z.object({
  tenant_id: z.string(),
  user_id: z.string(),
  assistant_id: z.string(),
  fact_id: z.string().regex(idPattern),
  text: z.string().min(1),
  by: z.enum(['user', 'assistant']),
  created_at: z.int().nonnegative(),
  session_id: z.string().optional(),
  said_in: z.string().optional(),
})

/** An id that begins with its time, so that a folder lists facts by age. */
export function newFactId(created_at: number): string {
  return `${created_at.toString(36).padStart(9, '0')}-${randomBytes(8).toString('hex')}`
}

/** When a fact was made, by the name of its file or of what is left of it. */
export function timeInName(name: string): number | undefined {
  const [, time] = idPattern.exec(name.split('.', 1)[0] ?? '') ?? []
  return time === undefined ? undefined : Number.parseInt(time, 36)
}

/** Whether `id` can be that of a fact: then it is a plain file name. */
export function isFactId(id: string): boolean {
  return idPattern.test(id)
}

/** The id of the fact that a file is named for, or undefined where it is none. */
export function factIdOf(name: string): string | undefined {
  const id = name.endsWith('.json') ? name.slice(0, -'.json'.length) : ''
  return isFactId(id) ? id : undefined
}

/** A fact as its file has it: with its owner, so that a file that lies elsewhere is noticed. */
export function toFactFile(owner: MemoryOwner, fact: Fact): string {
  const { tenant_id, user_id, assistant_id } = owner
  return `${JSON.stringify({ tenant_id, user_id, assistant_id, ...fact }, null, 2)}\n`
}

/** Whose assistant a fact's file says it is of; undefined where it is damaged. */
export function assistantIn(text: string): string | undefined {
  try {
    return factFileSchema.parse(parseJson(text)).assistant_id
  } catch {
    return undefined
  }
}

/** Reads a fact's file. Throws where it is damaged, or not the owner's. */
export function fromFactFile(text: string, owner: MemoryOwner, fact_id: string): Fact {
  const parsed = factFileSchema.safeParse(parseJson(text, { what: 'fact' }))
  if (!parsed.success) throw new AppError('invalid_result', 'the file is no fact')
  const { tenant_id, user_id, assistant_id, ...fact } = parsed.data
  const isOwn =
    tenant_id === owner.tenant_id &&
    user_id === owner.user_id &&
    assistant_id === owner.assistant_id &&
    fact.fact_id === fact_id
  if (isOwn) return fact
  throw new AppError('forbidden', 'the fact is of another owner')
}
