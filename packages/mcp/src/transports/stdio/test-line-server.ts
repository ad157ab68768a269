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
let written: Promise<unknown> = Promise.resolve()

const deeds: Record<string, (request: Request) => unknown> = {
  echo: ({ id, params }) => answer(id, params),
  environment: ({ id }) => answer(id, { ...process.env }),
  pid: ({ id }) => answer(id, process.pid),
  hang: (request) => hung.push(request),
  /** Answers what hangs, the last first, then this. */
  release: ({ id, params }) => {
    for (const held of hung.splice(0).toReversed()) answer(held.id, held.params)
    answer(id, params)
  },
  /** Writes bytes as they are, then answers. */
  write: ({ id, params }) => {
    write(Buffer.from(String(params.base64), 'base64'))
    answer(id, 'written')
  },
  /** Writes a line as it is, and nothing else. */
  say: ({ params }) => write(`${params.text}\n`),
  /** Answers with a string of so many bytes, the id before or behind it. */
  large: ({ id, params }) => answerLarge(id, params),
  /** An answer that never ends. */
  endless: async ({ params }) => {
    write(String(params.beginning))
    while (true) {
      write('x'.repeat(mebibyte))
      await written
    }
  },
  /** Answers byte by byte. */
  drip: async ({ id, params }) => {
    for (const byte of `${JSON.stringify({ jsonrpc: '2.0', id, result: params })}\n`) {
      write(byte)
      await written
      await new Promise(setImmediate)
    }
  },
  complain: async ({ id, params }) => {
    const text = String(params.text).repeat(Number(params.times ?? 1))
    await new Promise((done) => process.stderr.write(text, done))
    answer(id, 'said')
  },
  exit: async ({ id, params }) => {
    await new Promise((done) => process.stderr.write(String(params.text ?? ''), done))
    if (params.bytes !== undefined) answerLarge(id, params)
    await written
    process.exit(Number(params.code))
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
  write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}

function answerLarge(id: unknown, params: Request['params']): void {
  write(params.idLast ? '{"result":"' : `{"jsonrpc":"2.0","id":${id},"result":"`)
  for (let left = Number(params.bytes); left > 0; left -= mebibyte)
    write('x'.repeat(Math.min(left, mebibyte)))
  write(params.idLast ? `","jsonrpc":"2.0","id":${id}}\n` : '"}\n')
}

/** After all that was to be written before it. */
function write(bytes: string | Buffer): void {
  written = written.then(() => new Promise((done) => process.stdout.write(bytes, done)))
}

if (process.argv[2] === 'stubborn') {
  process.on('SIGTERM', () => process.stderr.write('TERM ignored\n'))
  setInterval(() => {}, 1000)
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const request: Request = JSON.parse(line)
  deeds[request.method]?.(request)
})
