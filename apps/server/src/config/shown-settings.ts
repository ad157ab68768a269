import type { JsonValue } from '@dataagent/schema'
import { type Field, fields } from './names.ts'
import type { Config, Origin } from './resolve.ts'
import type { Text } from './text.ts'

/** A setting as an administrator may see it. */
export interface ShownSetting {
  name: string
  value: JsonValue
  origin: Origin
  env: string
  flag: string
  about: Text
}

/** All settings in the order of the reference. Of a secret one only whether it is set. */
export function showSettings(config: Config): ShownSetting[] {
  return fields.map((field) => ({
    name: field.name,
    value: shownValue(field, config[field.name]),
    origin: config.origins[field.name],
    env: field.env,
    flag: field.flag,
    about: field.about,
  }))
}

function shownValue({ secret }: Field, value: Config[keyof Config] | undefined): JsonValue {
  const isNone = value === undefined || (Array.isArray(value) && value.length === 0)
  if (secret) return isNone ? 'not set' : 'set'
  return (value as JsonValue | undefined) ?? null
}
