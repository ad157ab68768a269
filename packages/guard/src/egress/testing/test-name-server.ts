import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/**
 * A name server. Names of which it has no addresses are not known; those in `silent` get no answer.
 */
export interface TestNameServer extends AsyncDisposable {
  /** As a resolver takes it. */
  address: string
  /** Names that were asked for. */
  asked: string[]
}

const types = { a: 1, aaaa: 28 }

export async function startNameServer({
  names = {},
  silent = /^$/,
}: {
  names?: Record<string, readonly string[]>
  silent?: RegExp
}): Promise<TestNameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    asked.push(name)
    if (silent.test(name)) return
    const known = names[name]
    const addresses = (known ?? []).filter((one) => isIPv6(one) === (type === types.aaaa))
    const answers = addresses.map((address) => toAnswer(type, address))
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(answers.length, 6)
    head.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** With the name of the question, for a minute. */
function toAnswer(type: number, address: string): Buffer {
  const data = isIPv6(address) ? toSixteen(address) : Buffer.from(address.split('.').map(Number))
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function toSixteen(address: string): Buffer {
  const [before = '', after = ''] = address.split('::')
  const toGroups = (text: string) => (text === '' ? [] : text.split(':'))
  const [first, last] = [toGroups(before), toGroups(after)]
  const zeros = new Array(8 - first.length - last.length).fill('0')
  const bytes = [...first, ...zeros, ...last].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
  return Buffer.from(bytes)
}
