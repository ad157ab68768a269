import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toTool } from '../connection/test-server.ts'
import { toCallResult } from '../tools/call-result.ts'
import type { McpTool } from '../tools/contract.ts'
import { convertMcpTools } from '../tools/convert.ts'
import { createToolNames, type ToolNames } from './tool-names.ts'

/** Parts that clash when joined by dots, look alike, or are longer than a wire name. */
const part = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'a.b', 'b.c', 'a--b', 'b--c', 'а', 'ａ', 'a b', '{tool}'),
  fc.string({ unit: fc.constantFrom(...'ab.-_é'), minLength: 1, maxLength: 6 }),
  fc.nat({ max: 50 }).map((length) => `${'long-name.'.repeat(10).slice(length)}x`),
)
const template = fc.constantFrom(
  'mcp.{server}.{tool}',
  '{server}--{tool}',
  '{tool}',
  '{tool}.{server}',
)
const steps = fc.array(
  fc.record({ server: part, tools: fc.uniqueArray(part, { maxLength: 6 }), leaves: fc.boolean() }),
  { minLength: 1, maxLength: 12 },
)

function toTools(server: string, tools: string[], toolPrefix: string) {
  const call = async () => toCallResult({ content: [] })
  return convertMcpTools({ server, definitions: tools.map(toTool), call, toolPrefix })
}

interface Step {
  server: string
  tools: string[]
  leaves: boolean
  toolPrefix: string
}

/** Whose a name or wire name is, as the table has told so far. */
type Promised = Map<string, string>

const idOf = (tool: McpTool | undefined) => `${tool?.server}|${tool?.originalName}`

/** Lets a server leave, or claim the names of its tools; gives what is promised then. */
function take(names: ToolNames, step: Step, before: Promised): Promised {
  const { server, toolPrefix } = step
  const others = [...before].filter(([, id]) => !id.startsWith(`${server}|`))
  const promised = new Map(others)
  if (step.leaves) names.release(server)
  const listed = step.leaves ? [] : toTools(server, step.tools, toolPrefix)
  const clashes = step.leaves ? [] : names.claim(server, listed)
  const refused = new Set(clashes.map(({ tool }) => tool))
  for (const tool of listed.filter((each) => !refused.has(each))) {
    for (const name of new Set([tool.name, tool.wireName])) {
      expect(promised.has(name)).toBe(false)
      promised.set(name, idOf(tool))
    }
  }
  for (const { tool, holder } of clashes) {
    const held = [tool.name, tool.wireName].map((name) => promised.get(name))
    expect(held).toContain(idOf(holder))
  }
  return promised
}

const timeout = longCount(30_000, 1_200_000)

test('whatever servers come, change and go, a name means who had it first', { timeout }, () => {
  const check = (toolPrefix: string, history: Omit<Step, 'toolPrefix'>[]) => {
    const names = createToolNames()
    let promised: Promised = new Map()
    for (const step of history) {
      promised = take(names, { ...step, toolPrefix }, promised)
      for (const [name, id] of promised) expect(idOf(names.get(name))).toBe(id)
    }
  }
  fc.assert(fc.property(template, steps, check), { numRuns: longCount(300, 100_000) })
})

test('the names of a catalogue do not depend on the order of adding', () => {
  const catalogue = fc.uniqueArray(fc.tuple(part, part), {
    maxLength: 20,
    selector: (pair) => pair.join('|'),
  })
  const namesOf = (pairs: [string, string][]) =>
    pairs
      .flatMap(([server, tool]) => toTools(server, [tool], 'mcp.{server}.{tool}'))
      .map(({ server, originalName, name, wireName }) => [server, originalName, name, wireName])
      .sort()
  const check = (pairs: [string, string][]) => {
    expect(namesOf(pairs)).toEqual(namesOf(pairs.toReversed()))
  }
  fc.assert(fc.property(catalogue, check), { numRuns: longCount(300, 10_000) })
})
