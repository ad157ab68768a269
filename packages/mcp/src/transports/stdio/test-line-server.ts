import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

// A server on stdin and stdout that does what the method of a request says. With `stubborn` as its
// argument it stays when its stdin ends, and when it is asked to end by TERM.

interface Request {
  id?: string | number
  method: string
  params: Record<string, unknown>
}

const mebibyte = 1024 * 1024
const hung: Request[] = []

const deeds: Record<string, (request: Request) => unknown> = {
  echo: (request) => answer(request.id, request.params),
  environment: ({ id }) => answer(id, { ...process.env }),
  pid: ({ id }) => answer(id, process.pid),
  hang: (request) => hung.push(request),
  /** Answers what hangs, the last first. */
  release: (request) => {
    for (const { id, params } of [request, ...hung.splice(0)].toReversed()) answer(id, params)
  },
  /** Writes text as it is, then answers. */
  write: async ({ id, params }) => {
    await writeOut(Buffer.from(String(params.base64), 'base64'))
    answer(id, 'written')
  },
  /** Answers with a string of so many bytes, the id before or behind it. */
  large: ({ id, params }) => writeLarge(id, params),
  /** An answer that never ends. */
  endless: async ({ id }) => {
    await writeOut(`{"jsonrpc":"2.0","id":${id},"result":"`)
    while (true) await writeOut('x'.repeat(mebibyte))
  },
  complain: ({ id, params }) => {
    process.stderr.write(String(params.text), () => answer(id, 'said'))
  },
  exit: async ({ id, params }) => {
    if (params.text) await new Promise((done) => process.stderr.write(`${params.text}`, done))
    if (params.bytes) await writeLarge(id, params)
    process.exit(Number(params.code))
  },
  closeOutput: () => process.stdout.end(),
  closeInput: ({ id }) => {
    process.stdin.destroy()
    setInterval(() => {}, 1000)
    answer(id, 'closed')
  },
  /** Starts a process in the same group that ignores TERM, and gives its id. */
  breed: async ({ id }) => {
    const child = spawn('sh', ['-c', 'trap "" TERM; echo up; while :; do sleep 0.1; done'])
    await once(child.stdout, 'data')
    answer(id, child.pid)
  },
  /** Reads nothing more. */
  sulk: ({ id }) => {
    process.stdin.pause()
    answer(id, 'sulking')
  },
}

function answer(id: unknown, result: unknown): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}

async function writeLarge(id: unknown, params: Request['params']): Promise<void> {
  const total = Number(params.bytes)
  await writeOut(params.idLast ? '{"result":"' : `{"jsonrpc":"2.0","id":${id},"result":"`)
  for (let left = total; left > 0; left -= mebibyte)
    await writeOut('x'.repeat(Math.min(left, mebibyte)))
  await writeOut(params.idLast ? `","jsonrpc":"2.0","id":${id}}\n` : '"}\n')
}

async function writeOut(bytes: string | Buffer): Promise<void> {
  await new Promise((done) => process.stdout.write(bytes, done))
}

if (process.argv[2] === 'stubborn') {
  process.on('SIGTERM', () => process.stderr.write('TERM ignored\n'))
  setInterval(() => {}, 1000)
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const request: Request = JSON.parse(line)
  void deeds[request.method]?.(request)
})
