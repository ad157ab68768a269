// The gateway before an upstream of the era that the argument names, for the official suites: says
// where it is in a line of JSON and goes on until its standard input ends.
import { once } from 'node:events'
import { startHost, type UpstreamEra } from './host.ts'

await using host = await startHost(process.argv[2] as UpstreamEra)
console.log(JSON.stringify({ url: host.url, key: host.key }))
process.stdin.resume()
await once(process.stdin, 'end')
