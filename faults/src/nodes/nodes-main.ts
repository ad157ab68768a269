// npm run nodes: several nodes behind a balancer on this machine, until Ctrl-C.
import { randomBytes } from 'node:crypto'
import { argv } from 'node:process'
import { createInterface } from 'node:readline'
import { readArguments, readCommand, toEntrance, usage } from './nodes-arguments.ts'
import { startNodes } from './start-nodes.ts'

process.exitCode = await main()

async function main(): Promise<number> {
  const asked = readArguments(argv.slice(2))
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n`)
    return asked === usage ? 0 : 2
  }
  const made = randomBytes(24).toString('base64url')
  const entrance = toEntrance(process.env.DATAAGENT_API_KEYS, made)
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  await using running = await startNodes({
    ...asked,
    env: { ...passedOn(), DATAAGENT_API_KEYS: entrance.keys },
    onStep: (step) => say(`${step} …`),
  })
  const list = () => {
    for (const { name, url, pid } of running.nodes) say(`  ${name}  ${url}  pid ${pid}`)
  }
  list()
  say(`All of them behind ${running.url}${entrance.path}\nCtrl-C ends everything.`)
  const ended = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.resolve())
  createInterface({ input: process.stdin }).on('line', (line) => void obey(line))
  await ended.promise
  process.stdin.destroy()
  say('Ending the nodes, Redis and the database …')
  return 0

  async function obey(line: string): Promise<void> {
    const asked = readCommand(line, running.nodes.length)
    if (typeof asked === 'string') return say(asked)
    if (asked.verb === 'nodes') return list()
    const node = running.nodes[asked.number - 1]!
    const acts = { kill: running.kill, start: running.revive, restart: running.restart }
    await acts[asked.verb](node).then(list, (error: Error) => say(error.message))
  }
}

/** What names the stores is the script's own. */
function passedOn(): Record<string, string> {
  const own =
    /^(?:DATABASE_URL|REDIS_URL|DATAAGENT_(?:SESSION_STORE|MYSQL_.*|DATA_DIR|PORT|HOST|WORKERS))$/
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      /^(?:DATAAGENT|MCP|OPENAI|ANTHROPIC|TAVILY)_/.test(entry[0]) && !own.test(entry[0]),
  )
  return Object.fromEntries(entries)
}
