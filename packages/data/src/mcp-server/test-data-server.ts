// A program: serves the folder of its first argument, and writes exports to that of its second.
import { serveDataOverStdio } from './serve-data.ts'

const [, , folder = '', outputFolder = ''] = process.argv
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort())
await serveDataOverStdio({
  ...{ source: { kind: 'files', folder }, name: 'sales', outputFolder, version: '1.0.0' },
  ...{ stdin: process.stdin, stdout: process.stdout, signal: stop.signal },
  log: (line) => process.stderr.write(`${line}\n`),
})
