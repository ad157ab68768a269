import type { CatalogueEntry } from '@dataagent/hub'
import { estimateTokens, type ModelTool } from '../../models/index.ts'
import type { BuildToolPrompt, IntentMatch, ToolPrompt, ToolPromptInput } from '../contract.ts'
import { type AllTools, allToolsOf } from './all-tools.ts'
import { isPromptTool, promptToolNames } from './prompt-tool-names.ts'
import { toLevelOne } from './server-text.ts'
import { toToldEntry } from './told-entry.ts'

const defaultBudget = 2_000
/** Of a message that means more tools than these the rest is left to `search_tools`. */
const linesMax = 100

/**
 * Makes the builder of what the model is told of tools [B3]. `search_tools`, `describe_tool` and
 * `call_tool` are taken from `own`, where they stand always, and given only where the mode needs
 * them. Pass the same arrays, match and set as long as they hold the same: what was computed is
 * kept with them, and nothing may be taken out of the set.
 */
export function createToolPromptBuilder(): BuildToolPrompt {
  const kept = new WeakMap<
    IntentMatch,
    { input: ToolPromptInput; size: number; made: ToolPrompt }
  >()
  return (input) => {
    const known = kept.get(input.match)
    const { size } = input.described
    if (known && known.size === size && isSame(known.input, input)) return known.made
    const made = buildPrompt(input)
    kept.set(input.match, { input, size, made })
    return made
  }
}

const fields = ['mode', 'budgetTokens', 'own', 'entries', 'servers', 'described'] as const

function isSame(a: ToolPromptInput, b: ToolPromptInput): boolean {
  return fields.every((field) => a[field] === b[field])
}

function buildPrompt(input: ToolPromptInput): ToolPrompt {
  const all = allToolsOf(input.entries, input.servers)
  const shown = show(input, all)
  const own = ownToolsOf(input.own)
  const helpers = [...shown.helpers].flatMap((name) => own.helpers.get(name) ?? [])
  const told = [...helpers, ...shown.entries].map(toToldEntry)
  const isAll = shown.mode === 'always'
  const tokens = told.reduce((sum, entry) => sum + entry.tokens, estimateTokens(shown.text))
  return {
    mode: shown.mode,
    text: shown.text,
    tools: isAll ? joinAll(own, all) : [...own.tools, ...told.map(({ tool }) => tool)],
    tokens: isAll ? all.tokens : tokens,
    offered: isAll ? input.entries.length : shown.entries.length + shown.lines,
    alwaysTokens: all.tokens,
  }
}

/** What of the MCP tools is told: text, tools in full, and the own tools that go with them. */
interface Shown {
  mode: ToolPrompt['mode']
  text: string
  /** Tools that the text has a line of. */
  lines: number
  entries: readonly CatalogueEntry[]
  helpers: ReadonlySet<string>
}

const nothing = { text: '', lines: 0, entries: [], helpers: new Set<string>() }
const { search, describe, call } = promptToolNames

function show(input: ToolPromptInput, all: AllTools): Shown {
  const { mode, budgetTokens = defaultBudget } = input
  const fits = all.tokens <= budgetTokens
  if (mode === 'always' || (mode === 'auto' && fits)) {
    return { ...nothing, mode: 'always', text: all.text }
  }
  if (input.entries.length === 0) return { ...nothing, mode: mode === 'search' ? mode : 'intent' }
  if (mode === 'search') return { ...showFound(input, all), mode }
  if (mode === 'intent') return { ...showMatch(input, all), mode }
  return { ...showBoth(input, all), mode: 'intent' }
}

/** `search`: what was found and asked for. */
function showFound({ described }: ToolPromptInput, all: AllTools): Omit<Shown, 'mode'> {
  const entries = entriesIn(described, all)
  const hasFound = entries.length > 0 || described.has(search)
  const helpers = new Set(hasFound ? [search, describe, call] : [search])
  return { ...nothing, entries, helpers }
}

/** `intent`: the lines of what the message means, and in full what was asked for. */
function showMatch(input: ToolPromptInput, all: AllTools): Omit<Shown, 'mode'> {
  const { match, servers, described } = input
  if (match.intent.type !== 'mcp') return nothing
  const entries = entriesIn(described, all)
  const lines = match.entries.filter(({ wire_name }) => !described.has(wire_name))
  const isCut = lines.length > linesMax
  if (lines.length === 0) {
    return { ...nothing, text: entries.length === 0 ? unknownText : '', entries }
  }
  const written = lines.slice(0, linesMax)
  const told = toLevelOne(written, servers)
  const text = [introduction, told, ...(isCut ? [cutText(lines.length - linesMax)] : [])]
  const helpers = new Set([...(isCut ? [search] : []), describe, call])
  return { text: text.join('\n'), lines: written.length, entries, helpers }
}

/** `auto` above its budget: as `intent`, and what nobody recognised can be searched for. */
function showBoth(input: ToolPromptInput, all: AllTools): Omit<Shown, 'mode'> {
  const found = showFound(input, all)
  const { text, lines, helpers } = showMatch(input, all)
  return { ...found, text, lines, helpers: new Set([...found.helpers, ...helpers]) }
}

const introduction =
  'Tools of connected servers that this message may need, one a line. `describe_tool` gives the ' +
  'parameters of one, `call_tool` calls it by its name.'
const unknownText = 'The message names a tool that is not available here: say so.'
const cutText = (count: number) => `… and ${count} more, which \`search_tools\` finds.`

function entriesIn(names: ReadonlySet<string>, { byWireName }: AllTools): CatalogueEntry[] {
  return [...names].flatMap((name) => byWireName.get(name) ?? [])
}

interface OwnTools {
  tools: readonly ModelTool[]
  /** With all tools of servers behind them: one list for one catalogue, to be known again. */
  joined: WeakMap<AllTools, readonly ModelTool[]>
  helpers: ReadonlyMap<string, CatalogueEntry>
}

const keptOwn = new WeakMap<readonly CatalogueEntry[], OwnTools>()

function ownToolsOf(own: readonly CatalogueEntry[]): OwnTools {
  const known = keptOwn.get(own)
  if (known) return known
  const [helpers, others] = [own.filter(isHelper), own.filter((entry) => !isHelper(entry))]
  const made: OwnTools = {
    tools: others.map((entry) => toToldEntry(entry).tool),
    joined: new WeakMap(),
    helpers: new Map(helpers.map((entry) => [entry.wire_name, entry])),
  }
  keptOwn.set(own, made)
  return made
}

function joinAll({ tools, joined }: OwnTools, all: AllTools): readonly ModelTool[] {
  const list = joined.get(all) ?? [...tools, ...all.tools]
  joined.set(all, list)
  return list
}

function isHelper({ wire_name }: CatalogueEntry): boolean {
  return isPromptTool(wire_name)
}
