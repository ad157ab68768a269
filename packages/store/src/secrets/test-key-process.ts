import { ensureKeyFile } from './key-file.ts'
import { createKeyring } from './keyring.ts'

// For a test that starts several at once: prints the id of the key that it got.
const keyring = createKeyring(await ensureKeyFile(process.argv[2] ?? ''))
process.stdout.write(`${keyring.current}\n`)
