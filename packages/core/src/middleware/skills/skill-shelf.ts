import { type Clock, openWorkspace, type Workspace } from '@dataagent/guard'
import { AppError, isAppError } from '@dataagent/schema'
import { parseSkill, type Skill } from './parse-skill.ts'

/** A skill and where it is. */
export interface FoundSkill extends Skill {
  root: string
  /** The name of its folder in the root. */
  folder: string
}

/** A folder that looks like a skill and cannot be used. */
export interface InvalidSkill {
  path: string
  reason: string
}

/** The skills of several folders. */
export interface SkillShelf {
  /** By name; those of a later root hide those of an earlier one. Never rejects. */
  load(roots: readonly string[]): Promise<FoundSkill[]>
}

const fileName = 'SKILL.md'
const fileBytes = 256 * 1024
const skillsMax = 500

interface Kept {
  stamp: string
  skill: FoundSkill | undefined
}

const keptMax = 10_000

/** How long what was found is taken to be still there. */
const freshMs = 5000

interface ShelfNeeds {
  clock: Clock
  onInvalid(skill: InvalidSkill): void
}

/** Makes a shelf that looks anew after some seconds, and reads a SKILL.md when it has changed. */
export function createSkillShelf({ clock, onInvalid }: ShelfNeeds): SkillShelf {
  const kept = new Map<string, Kept>()
  const fresh = new Map<string, { until: number; skills: Promise<FoundSkill[]> }>()

  /** What was read at the path while its stamp was this, or what `read` gives now. */
  async function readOnce(path: string, stamp: string, read: () => Promise<FoundSkill>) {
    const known = kept.get(path)
    if (known?.stamp === stamp) return known.skill
    const skill = await read().catch((error) => {
      onInvalid({ path, reason: error instanceof Error ? error.message : String(error) })
      return undefined
    })
    if (kept.size >= keptMax) kept.clear()
    kept.set(path, { stamp, skill })
    return skill
  }

  async function loadRoot(root: string): Promise<FoundSkill[]> {
    await using workspace = await openWorkspace({ root })
    const { entries } = await workspace.list('.', { maxEntries: skillsMax })
    const skills: FoundSkill[] = []
    for (const { path: folder, kind } of entries) {
      if ((kind !== 'dir' && kind !== 'link') || folder.startsWith('.')) continue
      const stamp = kind === 'link' ? 'link' : await stampOf(workspace, folder)
      const skill = await readOnce(`${root}/${folder}`, stamp, async () => {
        if (kind === 'link') throw new AppError('path_denied', 'it is a link')
        return { ...(await readSkill(workspace, folder)), root, folder }
      })
      if (skill) skills.push(skill)
    }
    return skills
  }

  async function loadIfThere(root: string): Promise<FoundSkill[]> {
    try {
      return await loadRoot(root)
    } catch (error) {
      if (!isMissing(error)) await readOnce(root, String(error), () => Promise.reject(error))
      return []
    }
  }

  async function loadAll(roots: readonly string[]): Promise<FoundSkill[]> {
    const byName = new Map<string, FoundSkill>()
    for (const root of roots) {
      for (const skill of await loadIfThere(root)) byName.set(skill.name, skill)
    }
    return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  return {
    load(roots) {
      const key = roots.join('\0')
      const known = fresh.get(key)
      const now = clock.monotonic()
      if (known && now < known.until) return known.skills
      if (fresh.size >= keptMax) fresh.clear()
      const skills = loadAll(roots)
      fresh.set(key, { until: now + freshMs, skills })
      return skills
    },
  }
}

async function readSkill(workspace: Workspace, folder: string): Promise<Skill> {
  const { bytes } = await workspace.read(`${folder}/${fileName}`, { maxBytes: fileBytes })
  return parseSkill(bytes.toString('utf8'))
}

async function stampOf(workspace: Workspace, folder: string): Promise<string> {
  const info = await workspace.stat(`${folder}/${fileName}`).catch(() => undefined)
  return info ? `${info.kind} ${info.mtimeMs} ${info.size}` : 'none'
}

/** A root that nobody has made holds no skills; that is usual. */
function isMissing(error: unknown): boolean {
  const cause = isAppError(error, 'unavailable') ? error.cause : undefined
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
}
