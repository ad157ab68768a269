import { startHttpV1, startHttpV2, startSseV1 } from './test-http-servers.ts'

/** A server of an official SDK in a process of its own: prints where it is reached, then serves. */
const starts = { v1: startHttpV1, v2: startHttpV2, sse: startSseV1 }
const { url } = await starts[process.argv[2] as keyof typeof starts]()
console.log(url)
process.stdin.resume().once('end', () => process.exit())
