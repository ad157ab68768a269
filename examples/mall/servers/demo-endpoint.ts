import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { answers, type MallControl, type ToolChange } from '../control.ts'
import { toUrl } from './sessions.ts'

const tool = z.string()
const definition = z.record(z.string(), z.unknown())

/** What is posted to `/_demo/<verb>`. */
const bodies = {
  'change-tool': z.strictObject({
    tool,
    title: z.string().optional(),
    description: z.string().optional(),
    inputSchema: definition.optional(),
    outputSchema: definition.optional(),
    annotations: definition.optional(),
  }),
  'offer-tools': z.strictObject({ tools: z.union([z.array(tool), z.literal('all')]) }),
  delay: z.strictObject({ tool, ms: z.int().min(0) }),
  'break-output': z.strictObject({ tool, broken: z.boolean().default(true) }),
  answer: z.strictObject({ how: z.literal(answers) }),
  'forget-calls': z.strictObject({}),
  'drop-streams': z.strictObject({}),
  'forget-sessions': z.strictObject({}),
}

type Verb = keyof typeof bodies

export const demoPath = '/_demo/'

/** Serves a control to whoever reaches it. */
export function createDemoEndpoint(control: MallControl) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = toUrl(request)
    const verb = pathname.slice(demoPath.length)
    if (verb === 'calls' && request.method === 'GET') {
      const calls = await control.calls(searchParams.get('tool') ?? undefined)
      reply(response, 200, { total: calls.length, byTool: countByTool(calls), calls })
    } else if (request.method === 'POST' && isVerb(verb)) {
      await obey(control, verb, request).then(
        () => reply(response, 200, { ok: true }),
        (error: Error) => reply(response, 400, { error: error.message }),
      )
    } else reply(response, 404, { error: `GET calls, or POST ${Object.keys(bodies).join(', ')}` })
  }
}

async function obey(control: MallControl, verb: Verb, request: IncomingMessage): Promise<void> {
  const body: unknown = JSON.parse((await text(request)) || '{}')
  switch (verb) {
    case 'change-tool': {
      const { tool, ...change } = bodies[verb].parse(body)
      return control.changeTool(tool, change as ToolChange)
    }
    case 'offer-tools':
      return control.offerTools(bodies[verb].parse(body).tools)
    case 'delay': {
      const { tool, ms } = bodies[verb].parse(body)
      return control.delay(tool, ms)
    }
    case 'break-output': {
      const { tool, broken } = bodies[verb].parse(body)
      return control.breakOutput(tool, broken)
    }
    case 'answer':
      return control.answer(bodies[verb].parse(body).how)
    case 'forget-calls':
      return control.forgetCalls()
    case 'drop-streams':
      return control.dropStreams()
    case 'forget-sessions':
      return control.forgetSessions()
  }
}

function isVerb(text: string): text is Verb {
  return Object.hasOwn(bodies, text)
}

function countByTool(calls: { tool: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { tool } of calls) counts[tool] = (counts[tool] ?? 0) + 1
  return counts
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
