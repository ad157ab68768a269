import {
  type FieldError,
  isAppError,
  parseAs,
  type ServerConfigInput,
  serverConfigSchema,
} from '@dataagent/schema'
import type { PasteEntry, PasteSecret } from './contract.ts'
import type { Draft } from './draft.ts'
import { findSecrets } from './find-secrets.ts'

/** Checks drafts against the contract and finds free names for those whose own is taken. */
export function toEntries(drafts: readonly Draft[], taken: ReadonlySet<string>): PasteEntry[] {
  const names = createNames(taken)
  return drafts.map((draft) => toEntry(draft, names))
}

interface Names {
  take(name: string): { isTaken: boolean; free: string }
}

/** Each name remembers how far it has counted, so that a thousand equal ones cost no more. */
function createNames(taken: ReadonlySet<string>): Names {
  const used = new Set<string>()
  const counted = new Map<string, number>()
  const isTaken = (name: string) => taken.has(name) || used.has(name)

  function findFree(name: string): string {
    for (let number = counted.get(name) ?? 2; ; number += 1) {
      const free = `${[...name].slice(0, 56).join('')}-${number}`
      counted.set(name, number + 1)
      if (!isTaken(free)) return free
    }
  }

  return {
    take(name) {
      const wasTaken = isTaken(name)
      const free = wasTaken ? findFree(name) : name
      used.add(free)
      return { isTaken: wasTaken, free }
    },
  }
}

function toEntry(draft: Draft, names: Names): PasteEntry {
  const { name } = draft
  if (draft.status === 'unusable') {
    return { status: 'invalid', name, message: draft.message, errors: [] }
  }
  const { config, warnings } = draft
  const errors = findErrors(config)
  if (errors) return { status: 'invalid', name, ...errors }
  const secrets = joinSecrets(draft.secrets ?? [], findSecrets(config))
  const told = [...warnings, ...warnOfOpenSecrets(secrets)]
  const { isTaken, free } = names.take(name)
  const found = { name, config: config as ServerConfigInput, secrets, warnings: told }
  return isTaken
    ? { status: 'duplicate', proposed_name: free, ...found }
    : { status: 'new', ...found }
}

function findErrors(config: unknown): { message: string; errors: FieldError[] } | undefined {
  try {
    parseAs(serverConfigSchema, config, 'server')
    return undefined
  } catch (error) {
    if (!isAppError(error, 'invalid_request')) throw error
    const errors = (error.data?.errors ?? []) as FieldError[]
    return { message: error.message, errors }
  }
}

function joinSecrets(marked: readonly PasteSecret[], found: readonly PasteSecret[]): PasteSecret[] {
  const paths = new Set(marked.map(({ path }) => path))
  return [...marked, ...found.filter(({ path }) => !paths.has(path))]
}

/** Arguments and addresses are shown to whoever may see the server. */
function warnOfOpenSecrets(secrets: readonly PasteSecret[]): string[] {
  const open = secrets.filter(({ path, kind }) => kind === 'given' && /^(args|url)/.test(path))
  return open.map(
    ({ path }) => `${path} looks like a secret and would be shown: use env or headers if it can`,
  )
}
