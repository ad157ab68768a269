import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { Answer, MallCall, MallControl, MallOptions, ToolChange } from './control.ts'
import { allTools } from './tools/all-tools.ts'

/** How the mall behaves now, as the sessions and the HTTP server read it. */
export interface Demo {
  readonly control: Omit<MallControl, 'dropStreams' | 'forgetSessions'>
  /** Tools as they are to be listed. */
  definitions(): Tool[]
  isOffered(tool: string): boolean
  delayOf(tool: string): number
  isBroken(tool: string): boolean
  record(call: MallCall): void
  /** How a request is to be answered; waits while requests hang. */
  nextAnswer(): Promise<Exclude<Answer, 'hang'>>
  /** Called when the list of tools has changed. */
  onListChanged(tell: () => Promise<void>): void
}

type DemoOptions = Pick<MallOptions, 'delay' | 'breakOutput' | 'tools'>

export function createDemo({ delay = {}, breakOutput = [], tools }: DemoOptions): Demo {
  const delays = new Map(Object.entries(delay))
  const broken = new Set(breakOutput)
  const changes = new Map<string, ToolChange>()
  const requests = createAnswers()
  let calls: MallCall[] = []
  let offered = new Set(tools ?? allTools.keys())
  let tellListChanged = async () => {}
  for (const tool of [...delays.keys(), ...broken, ...offered]) checkTool(tool)

  return {
    definitions: () =>
      [...allTools.values()]
        .filter(({ definition }) => offered.has(definition.name))
        .map(({ definition }) => ({ ...definition, ...changes.get(definition.name) })),
    isOffered: (tool) => offered.has(tool),
    delayOf: (tool) => delays.get(tool) ?? 0,
    isBroken: (tool) => broken.has(tool),
    record: (call) => void calls.push(call),
    nextAnswer: requests.next,
    onListChanged(tell) {
      tellListChanged = tell
    },
    control: {
      calls: async (tool) =>
        structuredClone(calls.filter((call) => tool === undefined || call.tool === tool)),
      async forgetCalls() {
        calls = []
      },
      async changeTool(tool, change) {
        checkTool(tool)
        changes.set(tool, { ...changes.get(tool), ...change })
        await tellListChanged()
      },
      async offerTools(names) {
        const next = names === 'all' ? [...allTools.keys()] : names
        for (const name of next) checkTool(name)
        offered = new Set(next)
        await tellListChanged()
      },
      async delay(tool, ms) {
        checkTool(tool)
        delays.set(tool, ms)
      },
      async breakOutput(tool, isBroken = true) {
        checkTool(tool)
        if (isBroken) broken.add(tool)
        else broken.delete(tool)
      },
      answer: async (how) => requests.set(how),
    },
  }
}

/** A slip of the pen must not make a demonstration that shows nothing. */
function checkTool(tool: string): void {
  if (!allTools.has(tool)) throw new Error(`The mall has no tool ${tool}.`)
}

function createAnswers() {
  let current: Answer = 'normal'
  let changed = Promise.withResolvers<void>()
  return {
    async next(): Promise<Exclude<Answer, 'hang'>> {
      while (current === 'hang') await changed.promise
      return current
    },
    set(how: Answer): void {
      current = how
      changed.resolve()
      changed = Promise.withResolvers()
    },
  }
}
