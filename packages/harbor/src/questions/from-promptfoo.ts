import { isPlainObject } from '@dataagent/schema'
import { type Fault, toQuestionsError } from './faults.ts'
import { toExpectations } from './promptfoo-asserts.ts'

type Fields = Record<string, unknown>

const testFields = new Set(['description', 'vars', 'assert', 'metadata'])

/** Whether a value is a promptfoo configuration rather than questions of ours. */
export function isPromptfoo(value: unknown): value is Fields {
  return isPlainObject(value) && 'tests' in value && !('questions' in value)
}

/**
 * The questions of a promptfoo configuration: each prompt with the variables of each test. What
 * has no counterpart here is an error that names it: a test that passes because half of what it
 * asks for was left out would be believed.
 */
export function fromPromptfoo(config: Fields): Fields[] {
  const faults: Fault[] = []
  const prompts = toPrompts(config, faults)
  const base = isPlainObject(config.defaultTest) ? config.defaultTest : {}
  const tests = Array.isArray(config.tests) ? config.tests : []
  if (!Array.isArray(config.tests)) {
    faults.push({ place: 'tests', message: 'expected a list; files and functions are not read' })
  }
  if (config.defaultTest !== undefined && !isPlainObject(config.defaultTest)) {
    faults.push({ place: 'defaultTest', message: 'expected an object; files are not read' })
  }
  if (config.scenarios !== undefined) {
    faults.push({ place: 'scenarios', message: 'have no counterpart here: write them as tests' })
  }
  const questions = tests.flatMap((test, at) =>
    fromTest({ base, test, prompts, place: `test ${at + 1}`, faults }),
  )
  if (faults.length > 0) throw toQuestionsError(faults)
  return questions
}

function toPrompts({ prompts }: Fields, faults: Fault[]): string[] {
  const list = Array.isArray(prompts) ? prompts : [prompts ?? '{{question}}']
  return list.flatMap((prompt, at) => {
    const text = isPlainObject(prompt) ? prompt.raw : prompt
    if (typeof text === 'string' && !/^(?:file|exec):\/\//.test(text)) return [text]
    faults.push({ place: `prompt ${at + 1}`, message: 'expected a text; files are not read' })
    return []
  })
}

interface TestParts {
  base: Fields
  test: unknown
  prompts: string[]
  place: string
  faults: Fault[]
}

function fromTest({ base, test, prompts, place, faults }: TestParts): Fields[] {
  if (!isPlainObject(test)) {
    faults.push({ place, message: 'expected an object with "vars" and "assert"' })
    return []
  }
  for (const field of Object.keys({ ...base, ...test }).filter((name) => !testFields.has(name))) {
    faults.push({ place, path: field, message: `"${field}" has no counterpart here` })
  }
  const asserts = [...toList(base.assert), ...toList(test.assert)]
  const expected = toExpectations(asserts, { place, faults })
  const metadata = { ...toFields(base.metadata), ...toFields(test.metadata) }
  const vars = { ...toFields(base.vars), ...toFields(test.vars) }
  const texts = prompts.flatMap((prompt) => fillIn(prompt, vars, { place, faults }))
  const known = pickKnown(metadata)
  // One test that becomes several questions cannot give all of them its id.
  if (texts.length > 1) delete known.question_id
  return texts.map((question) => ({ ...known, ...expected, question }))
}

function pickKnown(metadata: Fields): Fields {
  const names = ['question_id', 'category', 'difficulty', 'tags', 'expected_sql']
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => names.includes(name)))
}

/** A variable that is a list stands for as many prompts, as promptfoo has it. */
function fillIn(
  prompt: string,
  vars: Fields,
  { place, faults }: { place: string; faults: Fault[] },
): string[] {
  const used = [...prompt.matchAll(/\{\{\s*([\w.]+)\s*\}\}/g)].map((match) => match[1] ?? '')
  const missing = used.filter((name) => !Object.hasOwn(vars, name))
  for (const name of missing) faults.push({ place, message: `vars.${name}: expected a value` })
  if (/\{%|\{\{(?!\s*[\w.]+\s*\}\})/.test(prompt)) {
    faults.push({ place, message: 'of templates only {{name}} is understood' })
  }
  if (missing.length > 0) return []
  let combined: Fields[] = [{}]
  for (const name of new Set(used)) {
    combined = combined.flatMap((chosen) =>
      toList(vars[name]).map((value) => ({ ...chosen, [name]: value })),
    )
  }
  return combined.map((chosen) =>
    prompt.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => toText(chosen[name])),
  )
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function toFields(value: unknown): Fields {
  return isPlainObject(value) ? value : {}
}

function toList(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
