import { AppError, createSecret, isPlainObject } from '@dataagent/schema'
import type { EngineSource } from '../engines/index.ts'

/** How a source is reached, as text that is sealed at once. */
export function toLocationJson(source: EngineSource): string {
  // Not by a replacer: what it gets of a secret is its mask.
  const fields = Object.entries(source).map(([name, value]) => [
    name,
    isSecret(value) ? { [secretMark]: value.reveal() } : value,
  ])
  return JSON.stringify(Object.fromEntries(fields))
}

/** The same back. Throws `secret_unreadable` for what is none. */
export function readLocation(json: string): EngineSource {
  try {
    return JSON.parse(json, (_, value) =>
      isPlainObject(value) && typeof value[secretMark] === 'string'
        ? createSecret(value[secretMark])
        : value,
    ) as EngineSource
  } catch {
    // Its text is not repeated.
    throw new AppError('secret_unreadable', 'How the source is reached cannot be read.')
  }
}

const secretMark = '$secret'

function isSecret(value: unknown): value is { reveal(): string } {
  return typeof (value as { reveal?: unknown } | null)?.reveal === 'function'
}
