import type { Role } from '@dataagent/schema'
import { mayOpen } from '../admin/sections.ts'

/** Of these an auditor, who only reads, has none. */
const ofWhoActs: readonly string[] = ['/c', '/memory']

/** Whether the way to a page is shown to somebody of that role. */
export function isOffered(path: string, role: Role): boolean {
  if (path.startsWith('/admin')) return mayOpen(path, role)
  return role !== 'auditor' || !ofWhoActs.includes(path)
}
