import { type CatalogueEntry, createToolset } from '@dataagent/hub'
import { beforeEach, describe, expect, test } from 'vitest'
import type { IntentMatch, ToolPromptInput, ToolServer } from '../contract.ts'
import { own, toEntries, toServer } from './test-entries.ts'
import { createToolPromptBuilder } from './tool-prompt.ts'
import { createToolPromptTools } from './tool-prompt-tools.ts'

const build = createToolPromptBuilder()
const normal: IntentMatch = { intent: { type: 'normal' }, words: [], entries: [] }

let servers: ToolServer[]
let entries: CatalogueEntry[]
beforeEach(() => {
  servers = [toServer('mall', 'Orders of the mall.'), toServer('db', 'db')]
  entries = [...toEntries('mall', 30), ...toEntries('db', 30)]
})

function meant(...of: CatalogueEntry[]): IntentMatch {
  return { intent: { type: 'mcp', server_id: 'mall' }, words: [], entries: of }
}

function prompt(input: Partial<ToolPromptInput>) {
  const described = new Set<string>()
  return build({ mode: 'auto', own, entries, servers, match: normal, described, ...input })
}

const namesOf = ({ tools }: { tools: readonly { name: string }[] }) => tools.map(({ name }) => name)

describe('mode intent', () => {
  test('gives one line of each tool that is meant, and no schema [B3.1]', () => {
    const made = prompt({ mode: 'intent', match: meant(entries[0]!, entries[1]!) })
    expect(made.text.split('\n').slice(1)).toEqual([
      '## mall: Orders of the mall.',
      '- mall_tool_0: Does thing 0.',
      '- mall_tool_1: Does thing 1.',
    ])
    expect(namesOf(made)).toEqual(['read_file', 'describe_tool', 'call_tool'])
    expect(JSON.stringify(made)).not.toContain('parameter_')
  })

  test.each(['normal', 'memory', 'hitl'] as const)(
    'gives nothing at all of them with the intent %s [B3.2]',
    (type) => {
      const described = new Set(['mall_tool_0', 'search_tools'])
      const made = prompt({ mode: 'intent', match: { ...normal, intent: { type } }, described })
      expect(made).toMatchObject({ mode: 'intent', text: '', tokens: 0 })
      expect(namesOf(made)).toEqual(['read_file'])
    },
  )

  test('gives in full what the model has asked for, and its line no more [B3.1]', () => {
    const described = new Set(['mall_tool_0'])
    const made = prompt({ mode: 'intent', match: meant(entries[0]!, entries[1]!), described })
    expect(namesOf(made)).toContain('mall_tool_0')
    expect(made.tools.at(-1)?.parameters).toBe(entries[0]!.tool.definition.inputSchema)
    expect(made.text).not.toContain('mall_tool_0')
  })

  test('does not give what was described and may no longer be used', () => {
    const described = new Set(['gone_tool'])
    const made = prompt({ mode: 'intent', match: meant(entries[0]!), described })
    expect(namesOf(made)).not.toContain('gone_tool')
  })

  test('says so where the message names a tool that is not there', () => {
    const match = { ...normal, intent: { type: 'mcp' as const, tool_name: 'foo' } }
    const made = prompt({ mode: 'intent', match })
    expect(made.text).toContain('not available')
    expect(namesOf(made)).toEqual(['read_file'])
  })

  test('leaves more than a hundred lines to a search', () => {
    entries = toEntries('mall', 130)
    const made = prompt({ mode: 'intent', match: meant(...entries) })
    expect(made.text.match(/^- /gm)).toHaveLength(100)
    expect(made.text).toContain('30 more')
    expect(namesOf(made)).toContain('search_tools')
  })

  test('uses the name of a server that nobody described [B5.1]', () => {
    const made = prompt({ mode: 'intent', match: meant(entries[30]!) })
    expect(made.text.split('\n')[1]).toBe('## db')
  })
})

describe('mode always', () => {
  test('gives one list in all runs, so that who writes it to the wire can keep that', () => {
    const [one, other] = [meant(entries[0]!), meant(entries[1]!)]
    const always = { mode: 'always' as const }
    expect(prompt({ ...always, match: one }).tools).toBe(prompt({ ...always, match: other }).tools)
  })

  test('gives every tool in full', () => {
    const made = prompt({ mode: 'always' })
    expect(made.tools).toHaveLength(61)
    expect(made.tokens).toBe(made.alwaysTokens)
  })

  test('tells what servers are for, where someone said it [B5.1]', () => {
    expect(prompt({ mode: 'always' }).text).toContain('## mall: Orders of the mall.')
    expect(prompt({ mode: 'always' }).text).not.toContain('## db')
  })
})

describe('mode search', () => {
  test('gives one tool, whatever the message means [B3.2]', () => {
    const made = prompt({ mode: 'search', match: meant(entries[0]!) })
    expect(namesOf(made)).toEqual(['read_file', 'search_tools'])
    expect(made.text).toBe('')
  })

  test('gives the means to read and call once something was found', () => {
    const made = prompt({ mode: 'search', described: new Set(['search_tools']) })
    expect(namesOf(made)).toEqual(['read_file', 'search_tools', 'describe_tool', 'call_tool'])
  })

  test('gives nothing where there are no tools', () => {
    expect(namesOf(prompt({ mode: 'search', entries: [] }))).toEqual(['read_file'])
  })
})

describe('mode auto', () => {
  test('is always while the tools fit the budget [B3.2]', () => {
    const few = toEntries('mall', 3)
    const made = prompt({ entries: few })
    expect(made.mode).toBe('always')
    expect(made.tools).toHaveLength(4)
    expect(prompt({ entries: few, budgetTokens: made.alwaysTokens }).mode).toBe('always')
    expect(prompt({ entries: few, budgetTokens: made.alwaysTokens - 1 }).mode).toBe('intent')
  })

  test('is intent with search_tools above it [B3.2]', () => {
    const made = prompt({})
    expect(made.mode).toBe('intent')
    expect(namesOf(made)).toEqual(['read_file', 'search_tools'])
    const matched = prompt({ match: meant(entries[0]!) })
    expect(namesOf(matched)).toEqual(['read_file', 'search_tools', 'describe_tool', 'call_tool'])
    expect(matched.text).toContain('- mall_tool_0: Does thing 0.')
  })

  test('keeps what a search has found callable without an intent', () => {
    const described = new Set(['search_tools', 'db_tool_3'])
    expect(namesOf(prompt({ described }))).toContain('db_tool_3')
  })
})

describe('the estimate', () => {
  test.each([10, 100, 1_000])('of %i tools: each mode is below what always costs', (count) => {
    const many = toEntries('mall', count)
    const [one] = many
    const always = prompt({ mode: 'always', entries: many })
    const intent = prompt({ mode: 'intent', entries: many, match: meant(one!) })
    const search = prompt({ mode: 'search', entries: many })
    expect(intent.alwaysTokens).toBe(always.tokens)
    expect(intent.tokens).toBeLessThan(always.tokens)
    expect(search.tokens).toBeLessThan(always.tokens)
    expect(prompt({ mode: 'intent', entries: many }).tokens).toBe(0)
  })

  test('of 1,000 tools takes microseconds once it is known', () => {
    const many = toEntries('mall', 1_000)
    const match = meant(many[0]!)
    const described = new Set<string>()
    for (const mode of ['always', 'intent', 'search'] as const) {
      const input = { mode, own, entries: many, servers, match, described }
      const first = build(input)
      const start = performance.now()
      for (let round = 0; round < 1_000; round++)
        expect(build({ ...input }).tools).toBe(first.tools)
      expect(performance.now() - start).toBeLessThan(5_000)
    }
  })

  test('is made anew when the model has asked for another schema', () => {
    const match = meant(entries[0]!, entries[1]!)
    const described = new Set<string>()
    const input = { mode: 'intent' as const, own, entries, servers, match, described }
    expect(namesOf(build(input))).not.toContain('mall_tool_1')
    described.add('mall_tool_1')
    expect(namesOf(build(input))).toContain('mall_tool_1')
  })
})

test('own tools that the prompt needs are those of the toolset', () => {
  const view = { entries: () => entries, servers: () => servers, describe: () => undefined }
  const { entries: brought } = createToolset(createToolPromptTools(view))
  expect(namesOf(prompt({ own: brought, mode: 'search' }))).toEqual(['search_tools'])
})
