import type { Role } from '@dataagent/schema'

const admins: readonly Role[] = ['admin', 'platform_admin']
const readers: readonly Role[] = [...admins, 'auditor']

/** The parts of the administration, and to whom the API answers there. */
const sections = [
  { name: 'overview', to: '/admin', roles: readers },
  { name: 'tenants', to: '/admin/tenants', roles: ['platform_admin'] },
  { name: 'users', to: '/admin/users', roles: readers },
  { name: 'agents', to: '/admin/agents', roles: admins },
  { name: 'models', to: '/admin/models', roles: admins },
  { name: 'registry', to: '/admin/registry', roles: admins },
  { name: 'policies', to: '/admin/policies', roles: admins },
  { name: 'audit', to: '/admin/audit', roles: readers },
  { name: 'usage', to: '/admin/usage', roles: readers },
  { name: 'workspaces', to: '/admin/workspaces', roles: admins },
  { name: 'memory', to: '/admin/memory', roles: admins },
  { name: 'system', to: '/admin/system', roles: admins },
] as const satisfies readonly { name: string; to: string; roles: readonly Role[] }[]

export type Section = (typeof sections)[number]
export type SectionName = Section['name']

const isFor = (section: Section, role: Role) => (section.roles as readonly Role[]).includes(role)

export function sectionsFor(role: Role): readonly Section[] {
  return sections.filter((section) => isFor(section, role))
}

/** Whether somebody of that role may open the page; one that is no section is told otherwise. */
export function mayOpen(pathname: string, role: Role): boolean {
  const path = pathname.replace(/\/+$/, '')
  const section = sections.find(({ to }) => to === path)
  return section ? isFor(section, role) : sectionsFor(role).length > 0
}
