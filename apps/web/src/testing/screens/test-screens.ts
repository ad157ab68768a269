import type { Page } from 'playwright-core'
import type { Person } from '../test-site.ts'
import type { Stage } from './test-stage.ts'

/** One picture: whose page, and what is done before it is taken. */
export interface Screen {
  name: string
  path: string
  as?: Person
  phone?: boolean
  show?(page: Page): Promise<unknown>
  /** What the page shows once it is whole. Default: its content. */
  until?: string
}

const sections = [
  ...['tenants', 'users', 'agents', 'models', 'registry', 'policies', 'audit', 'usage'],
  ...['workspaces', 'memory', 'system'],
]

export function screensOf({ sessions, serverId, groupId, evaluation }: Stage): Screen[] {
  const answered = `/c/${sessions.answered}`
  const data = `/c/${sessions.data}`
  const waiting = `/c/${sessions.waiting}`
  const run = `/evaluations/runs/${evaluation.runId}`
  return [
    { name: 'sign-in', path: '/', show: signOut },
    { name: 'chat-new', path: '/c' },
    { name: 'chat', path: answered, until: 'table' },
    { name: 'chat-panel', path: answered, until: 'table', show: openPanel },
    {
      name: 'chat-approval',
      path: waiting,
      until: 'button:has-text("Allow once"), button:has-text("允许一次")',
    },
    { name: 'chat-phone', path: answered, until: 'table', phone: true },
    { name: 'chat-data', path: data, until: 'canvas' },
    { name: 'chat-data-table', path: data, until: 'canvas', show: openTable },
    { name: 'chat-data-phone', path: data, until: 'canvas', phone: true },
    { name: 'data', path: '/data', as: 'ada', show: openTables },
    { name: 'data-questions', path: '/data?tab=questions' },
    { name: 'data-log', path: '/data?tab=log', as: 'ada', until: 'table' },
    { name: 'tools', path: '/tools?tab=shared', as: 'ada' },
    { name: 'tools-server', path: `/tools/servers/${serverId}`, as: 'ada' },
    { name: 'expose', path: '/tools/expose', as: 'ada' },
    { name: 'expose-group', path: `/tools/expose/${groupId}`, as: 'ada' },
    { name: 'approvals', path: '/approvals', as: 'ada' },
    { name: 'approvals-phone', path: '/approvals', as: 'ada', phone: true },
    { name: 'files', path: '/files' },
    { name: 'evaluations', path: '/evaluations?tab=runs', until: 'table' },
    {
      name: 'evaluations-set',
      path: `/evaluations/datasets/${evaluation.datasetId}`,
      until: 'table',
    },
    { name: 'evaluations-run', path: `${run}?tab=grid`, until: 'li button' },
    { name: 'evaluations-report', path: `${run}?tab=report`, until: 'table' },
    { name: 'evaluations-failures', path: `${run}?tab=trials`, until: 'article' },
    { name: 'evaluations-compare', path: `${run}?tab=compare`, until: 'table' },
    { name: 'evaluations-phone', path: `${run}?tab=report`, until: 'table', phone: true },
    { name: 'admin', path: '/admin', as: 'olga' },
    ...sections.map(
      (name): Screen => ({ name: `admin-${name}`, path: `/admin/${name}`, as: 'olga' }),
    ),
  ]
}

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.reload()
  await page.locator('input[type=password]').waitFor()
}

async function openTable(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /Table|表格/ }).click()
}

async function openTables(page: Page): Promise<void> {
  await page.getByRole('button', { name: /shop/ }).first().click()
  await page.getByText('orders', { exact: true }).click()
}

async function openPanel(page: Page): Promise<void> {
  await page.keyboard.press('Control+.')
  await page.getByRole('tab').last().click()
}
