import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { themeNames } from '../ui/index.ts'
import type { Preferences } from './contract.ts'

/** What the file holds beside what is chosen: what a person has been told and agreed to. */
export interface KeptChoices extends Preferences {
  /** Whether it was acknowledged what approving everything means. */
  knowsAutoApprove: boolean
}

const none: KeptChoices = {
  theme: undefined,
  lang: undefined,
  knowsAutoApprove: false,
}

/** A file that is missing or cannot be read is as one that says nothing. */
export async function readChoices(path: string): Promise<KeptChoices> {
  try {
    const { theme, lang, knowsAutoApprove } = JSON.parse(await readFile(path, 'utf8'))
    return {
      theme: themeNames.find((name) => name === theme),
      lang: lang === 'en' || lang === 'zh' ? lang : undefined,
      knowsAutoApprove: knowsAutoApprove === true,
    }
  } catch {
    return none
  }
}

/** Whole or not at all, also where another terminal does the same. */
export async function writeChoices(path: string, choices: KeptChoices): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const part = `${path}.${process.pid}`
  await writeFile(part, `${JSON.stringify(choices, undefined, 2)}\n`, { mode: 0o600 })
  await rename(part, path)
}
