import { openWorkspace } from './workspace.ts'

/**
 * A process that replaces the file `a` of the workspace at its first argument, again and again,
 * until it is killed.
 */
const [root = ''] = process.argv.slice(2)
const workspace = await openWorkspace({ root })

const parent = process.ppid
for (let i = 0; process.ppid === parent; i++) {
  await workspace.write('a', pieces(`${i % 10}`))
  if (i === 0) console.log('ready')
}

async function* pieces(digit: string) {
  for (let i = 0; i < 20; i++) yield Buffer.alloc(10_000, digit)
}
