// npm run nodes: several nodes behind a balancer on this machine, until Ctrl-C.
import { randomBytes } from 'node:crypto'
import { argv } from 'node:process'
import { readArguments, usage } from './nodes-arguments.ts'
import { startNodes } from './start-nodes.ts'

process.exitCode = await main()

async function main(): Promise<number> {
  const asked = readArguments(argv.slice(2))
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n`)
    return asked === usage ? 0 : 2
  }
  const adminKey = process.env.DATAAGENT_API_KEYS ?? randomBytes(24).toString('base64url')
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  await using running = await startNodes({
    ...asked,
    env: { ...passedOn(), DATAAGENT_API_KEYS: adminKey },
    onStep: (step) => say(`${step} …`),
  })
  const list = () => {
    for (const { name, url, pid } of running.nodes) say(`  ${name}  ${url}  pid ${pid}`)
  }
  list()
  say(`All of them behind ${running.url}/#key=${adminKey}\nCtrl-C ends everything.`)
  const ended = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.resolve())
  process.stdin.setEncoding('utf8').on('data', (text: string) => void obey(text.trim()))
  await ended.promise
  process.stdin.destroy()
  say('Ending the nodes, Redis and the database …')
  return 0

  async function obey(line: string): Promise<void> {
    const [verb = '', number = ''] = line.split(/\s+/)
    const node = running.nodes[Number(number) - 1]
    if (verb === 'nodes') return list()
    if (node === undefined) return say('Say "kill N", "start N", "restart N" or "nodes".')
    const acts: Record<string, () => Promise<void>> = {
      kill: () => running.kill(node),
      start: () => running.revive(node),
      restart: () => running.restart(node),
    }
    await acts[verb]?.().then(list, (error: Error) => say(error.message))
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
