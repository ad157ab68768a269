import { createSecret, type Secret } from '@dataagent/schema'
import { z } from 'zod'
import type { Text } from './text.ts'

/**
 * What `--help`, the reference page and error messages say of a setting, kept beside its schema.
 */
export interface FieldMeta {
  group: GroupName
  about: Text
  /** What a good value looks like; ends the sentence "expected …". */
  expected: Text
  kind: 'text' | 'number' | 'switch' | 'list'
  /** Default as shown, where it is not the schema's own default. */
  shownDefault?: Text
  /** Environment variable, where it is not DATAAGENT_ and the field's name. */
  env?: string
  secret?: boolean
}

type Described = Pick<FieldMeta, 'group' | 'about' | 'shownDefault' | 'env'>

export type GroupName = keyof typeof groups

/** Groups in the order in which they are listed. */
export const groups = {
  network: { en: 'Network', zh: '网络' },
  access: { en: 'Access', zh: '访问控制' },
  turns: { en: 'Sessions, turns and tools', zh: '会话、运行与工具' },
  data: { en: 'Data', zh: '数据' },
  gateway: { en: 'MCP gateway', zh: 'MCP 网关' },
  storage: { en: 'Storage', zh: '存储' },
  process: { en: 'Process, logs and tracing', zh: '进程、日志与追踪' },
} as const satisfies Record<string, Text>

/** Descriptions of the schema's fields. */
export const fieldMeta = z.registry<FieldMeta>()

/** Text that is not blank. */
export const anyText = z.string().trim().min(1)

/** A whole number; text from the environment or a flag is converted. */
export function wholeNumber(min: number, max: number, fallback: number, described: Described) {
  return z
    .preprocess(toNumber, z.int().min(min).max(max))
    .default(fallback)
    .register(fieldMeta, {
      ...described,
      kind: 'number',
      expected: { en: `a whole number from ${min} to ${max}`, zh: `${min} 到 ${max} 的整数` },
    })
}

/** true or false, also as 1/0, yes/no, on/off. */
export function onOff(fallback: boolean, described: Described) {
  return z
    .preprocess(toBoolean, z.boolean())
    .default(fallback)
    .register(fieldMeta, {
      ...described,
      kind: 'switch',
      expected: { en: 'true or false', zh: 'true 或 false' },
    })
}

/** One of `values`; upper case is accepted. Without a fallback it may stay undefined. */
export function oneOf<
  const T extends readonly [string, ...string[]],
  F extends T[number] | undefined,
>(values: T, fallback: F, described: Described): z.ZodType<T[number] | F> {
  return withFallback(z.preprocess(lower, z.enum(values)), fallback).register(fieldMeta, {
    ...described,
    kind: 'text',
    expected: { en: `one of ${values.join(', ')}`, zh: `${values.join('、')} 之一` },
  })
}

/** Text that `check` accepts. Without a fallback it may stay undefined. */
export function text<F extends string | undefined>(
  check: z.ZodType<string>,
  fallback: F,
  described: Described & Pick<FieldMeta, 'expected'>,
): z.ZodType<string | F> {
  return withFallback(check, fallback).register(fieldMeta, { ...described, kind: 'text' })
}

/** Items separated by commas, or a JSON array in the file. */
export function list(item: z.ZodType<string>, described: Described & Pick<FieldMeta, 'expected'>) {
  return z
    .preprocess(toItems, z.array(item))
    .default([])
    .register(fieldMeta, { ...described, kind: 'list' })
}

/** Text that must never be shown. */
export function secretText(
  check: z.ZodType<string>,
  described: Described & Pick<FieldMeta, 'expected'>,
) {
  return check
    .transform(createSecret)
    .optional()
    .register(fieldMeta, { ...described, kind: 'text', secret: true })
}

/** Items separated by commas, none of which must ever be shown. */
export function secretList(
  item: z.ZodType<string>,
  described: Described & Pick<FieldMeta, 'expected'>,
) {
  return z
    .preprocess(toItems, z.array(item.transform(createSecret)))
    .default([] as Secret[])
    .register(fieldMeta, { ...described, kind: 'list', secret: true })
}

function withFallback<T, F extends T | undefined>(check: z.ZodType<T>, fallback: F) {
  const field = fallback === undefined ? check.optional() : check.prefault(fallback as never)
  return field as unknown as z.ZodType<T | F>
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value
}

function toBoolean(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const word = value.trim().toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(word)) return true
  if (['false', '0', 'no', 'off'].includes(word)) return false
  return value
}

function toItems(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value
}
