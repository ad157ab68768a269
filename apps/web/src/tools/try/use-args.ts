import type { JsonObject } from '@dataagent/schema'
import { useMemo, useState } from 'react'
import { emptyValue, type Faults, type FormValue, readForm, toValue } from './form-value.ts'
import { type Field, toForm } from './schema-field.ts'

interface Written {
  form: Field
  value: FormValue
  /** Set where the arguments are written as JSON. */
  text: string | undefined
  faults: Faults
  isBad: boolean
}

const noForm: Field = toForm({ type: 'object' })

export type Args = ReturnType<typeof useArgs>

/**
 * The arguments of a tool as they are written, in fields or as JSON. They begin anew with each
 * schema; without one they are JSON.
 */
export function useArgs(inputSchema: JsonObject | undefined, given?: JsonObject) {
  const form = useMemo(() => (inputSchema ? toForm(inputSchema) : noForm), [inputSchema])
  const [kept, keep] = useState(() => begin(form, given))
  const written = kept.form === form ? kept : begin(form, given)
  const change = (part: Partial<Written>) => keep({ ...written, ...part })

  /** Undefined where what is written is no arguments; then it is said why. */
  function read(): JsonObject | undefined {
    const { value, text } = written
    if (text !== undefined) {
      const args = parseObject(text)
      change({ isBad: !args })
      return args
    }
    const { args, faults } = readForm(form, value)
    change({ faults })
    return Object.keys(faults).length === 0 ? args : undefined
  }

  function switchView() {
    const { value, text } = written
    if (text === undefined) return change({ text: toText(readForm(form, value).args) })
    const args = parseObject(text)
    if (!args) return change({ isBad: true })
    change({ isBad: false, faults: {}, value: toValue(form, args), text: undefined })
  }

  return { ...written, hasFields: inputSchema !== undefined, change, read, switchView }
}

function begin(form: Field, given: JsonObject | undefined): Written {
  const value = given ? toValue(form, given) : emptyValue(form)
  const text = form === noForm ? toText(given ?? {}) : undefined
  return { form, value, text, faults: {}, isBad: false }
}

const toText = (args: JsonObject) => JSON.stringify(args, null, 2)

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
