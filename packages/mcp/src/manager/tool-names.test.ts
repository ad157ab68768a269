import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toTool } from '../connection/test-server.ts'
import { toCallResult } from '../tools/call-result.ts'
import { convertMcpTools } from '../tools/convert.ts'
import { createToolNames } from './tool-names.ts'

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

test('whatever servers come, change and go, a name means the tool that had it first', () => {
  const check = (
    toolPrefix: string,
    history: { server: string; tools: string[]; leaves: boolean }[],
  ) => {
    const names = createToolNames()
    /** Name and wire name to whom it was promised. */
    let promised = new Map<string, string>()
    for (const { server, tools, leaves } of history) {
      const listed = leaves ? [] : toTools(server, tools, toolPrefix)
      if (leaves) names.release(server)
      const clashes = leaves ? [] : names.claim(server, listed)
      promised = new Map([...promised].filter(([, to]) => to.split('|')[0] !== server))
      for (const tool of listed) {
        if (clashes.some((clash) => clash.tool === tool)) continue
        const id = `${server}|${tool.originalName}`
        for (const name of new Set([tool.name, tool.wireName])) {
          expect(promised.has(name)).toBe(false)
          promised.set(name, id)
        }
      }
      for (const { tool, holder } of clashes) {
        const held = [tool.name, tool.wireName].map((name) => promised.get(name))
        expect(held).toContain(`${holder.server}|${holder.originalName}`)
      }
      for (const [name, id] of promised) {
        const found = names.get(name)
        expect(`${found?.server}|${found?.originalName}`).toBe(id)
      }
    }
  }
  fc.assert(fc.property(template, steps, check), { numRuns: longCount(1_000, 100_000) })
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
