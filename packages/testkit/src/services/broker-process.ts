import { startBroker } from './broker.ts'

// Run by global-setup.ts: prints the broker's address and lives as long as its standard input is
// open.
const broker = await startBroker()
process.stdout.write(`${broker.url}\n`)
process.stdin.resume()
process.stdin.once('close', async () => {
  await broker[Symbol.asyncDispose]()
  process.exit()
})
