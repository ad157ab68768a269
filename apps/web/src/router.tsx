import type { Me } from '@dataagent/schema'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import {
  readAuditSearch,
  readMemorySearch,
  readPoliciesSearch,
  readRegistrySearch,
  readSystemSearch,
  readTenantsSearch,
  readUsageSearch,
  readUsersSearch,
  readWorkspacesSearch,
} from './admin/searches.ts'
import { toApprovalsSearch } from './approvals/approvals-search.ts'
import { toChatSearch } from './chat/chat-search.ts'
import { toDataSearch } from './data/data-search.ts'
import { toEvaluationsSearch, toRunSearch } from './evaluations/evaluations-search.ts'
import { toGroupSearch } from './expose/expose-search.ts'
import { toFilesSearch } from './files/files-search.ts'
import { Crash } from './shell/crash.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'
import { toServerSearch, toToolsSearch } from './tools/tools-search.ts'

/** Who looks, for pages that not everybody has. */
type RouterContext = Pick<Me, 'role'>

const root = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  errorComponent: Crash,
  notFoundComponent: NotFound,
})

const getParentRoute = () => root

const home = createRoute({
  getParentRoute,
  path: '/',
  beforeLoad: ({ context: { role } }) => {
    throw redirect({ to: role === 'auditor' ? '/admin' : '/c' })
  },
})

const newChat = createRoute({
  getParentRoute,
  path: '/c',
  validateSearch: toChatSearch,
  component: lazyRouteComponent(() => import('./chat/chat-page.tsx'), 'ChatPage'),
})

const chat = createRoute({
  getParentRoute,
  path: '/c/$sessionId',
  component: lazyRouteComponent(() => import('./chat/chat-page.tsx'), 'ChatPage'),
})

const data = createRoute({
  getParentRoute,
  path: '/data',
  validateSearch: toDataSearch,
  component: lazyRouteComponent(() => import('./data/data-page.tsx'), 'DataPage'),
})

const tools = createRoute({
  getParentRoute,
  path: '/tools',
  validateSearch: toToolsSearch,
  component: lazyRouteComponent(() => import('./tools/tools-page.tsx'), 'ToolsPage'),
})

const server = createRoute({
  getParentRoute,
  path: '/tools/servers/$serverId',
  validateSearch: toServerSearch,
  component: lazyRouteComponent(() => import('./tools/server-page.tsx'), 'ServerPage'),
})

const expose = createRoute({
  getParentRoute,
  path: '/tools/expose',
  component: lazyRouteComponent(() => import('./expose/expose-page.tsx'), 'ExposePage'),
})

const group = createRoute({
  getParentRoute,
  path: '/tools/expose/$groupId',
  validateSearch: toGroupSearch,
  component: lazyRouteComponent(() => import('./expose/group-page.tsx'), 'GroupPage'),
})

const approvals = createRoute({
  getParentRoute,
  path: '/approvals',
  validateSearch: toApprovalsSearch,
  component: lazyRouteComponent(() => import('./approvals/approvals-page.tsx'), 'ApprovalsPage'),
})

const files = createRoute({
  getParentRoute,
  path: '/files',
  validateSearch: toFilesSearch,
  component: lazyRouteComponent(() => import('./files/files-page.tsx'), 'FilesPage'),
})

const evaluations = createRoute({
  getParentRoute,
  path: '/evaluations',
  validateSearch: toEvaluationsSearch,
  component: lazyRouteComponent(
    () => import('./evaluations/evaluations-page.tsx'),
    'EvaluationsPage',
  ),
})

const dataset = createRoute({
  getParentRoute,
  path: '/evaluations/datasets/$datasetId',
  component: lazyRouteComponent(
    () => import('./evaluations/datasets/dataset-page.tsx'),
    'DatasetPage',
  ),
})

const evaluationRun = createRoute({
  getParentRoute,
  path: '/evaluations/runs/$runId',
  validateSearch: toRunSearch,
  component: lazyRouteComponent(() => import('./evaluations/runs/run-page.tsx'), 'RunPage'),
})

const memory = createRoute({
  getParentRoute,
  path: '/memory',
  validateSearch: readMemorySearch,
  component: lazyRouteComponent(() => import('./memory/memory-page.tsx'), 'OwnMemoryPage'),
})

const admin = createRoute({
  getParentRoute,
  path: '/admin',
  component: lazyRouteComponent(() => import('./admin/admin-page.tsx'), 'AdminPage'),
})

const inAdmin = () => admin

const sections = [
  createRoute({
    getParentRoute: inAdmin,
    path: '/',
    component: lazyRouteComponent(
      () => import('./admin/overview/overview-page.tsx'),
      'OverviewPage',
    ),
  }),
  createRoute({
    getParentRoute: inAdmin,
    path: '/tenants',
    validateSearch: readTenantsSearch,
    component: lazyRouteComponent(() => import('./admin/tenants/tenants-page.tsx'), 'TenantsPage'),
  }),
  createRoute({
    getParentRoute: inAdmin,
    path: '/users',
    validateSearch: readUsersSearch,
    component: lazyRouteComponent(() => import('./admin/users/users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: inAdmin,
    path: '/agents',
    component: lazyRouteComponent(() => import('./admin/agents/agents-page.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: inAdmin,
    path: '/models',
    component: lazyRouteComponent(() => import('./admin/models/models-page.tsx'), 'ModelsPage'),
  }),
  createRoute({
    getParentRoute: inAdmin,
    path: '/registry',
    validateSearch: readRegistrySearch,
    component: lazyRouteComponent(
      () => import('./admin/registry/registry-page.tsx'),
      'RegistryPage',
    ),
  }),
  createRoute({
    getParentRoute: inAdmin,
    path: '/policies',
    validateSearch: readPoliciesSearch,
    component: lazyRouteComponent(
      () => import('./admin/policies/policies-page.tsx'),
      'PoliciesPage',
    ),
  }),
  createRoute({
    getParentRoute: inAdmin,
    path: '/audit',
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import('./admin/audit/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute: inAdmin,
    path: '/usage',
    validateSearch: readUsageSearch,
    component: lazyRouteComponent(() => import('./admin/usage/usage-page.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: inAdmin,
    path: '/workspaces',
    validateSearch: readWorkspacesSearch,
    component: lazyRouteComponent(
      () => import('./admin/workspaces/workspaces-page.tsx'),
      'WorkspacesPage',
    ),
  }),
  createRoute({
    getParentRoute: inAdmin,
    path: '/memory',
    validateSearch: readMemorySearch,
    component: lazyRouteComponent(() => import('./admin/memory/memory-page.tsx'), 'MemoryPage'),
  }),
  createRoute({
    getParentRoute: inAdmin,
    path: '/system',
    validateSearch: readSystemSearch,
    component: lazyRouteComponent(() => import('./admin/system/system-page.tsx'), 'SystemPage'),
  }),
] as const

/** Each page is loaded when it is first opened, or when the pointer comes near its link. */
export function createAppRouter(context: RouterContext) {
  return createRouter({
    context,
    routeTree: root.addChildren([
      ...[home, newChat, chat, data, tools, server, expose, group, approvals, files, memory],
      ...[evaluations, dataset, evaluationRun],
      admin.addChildren(sections),
    ]),
    defaultPreload: 'intent',
    defaultErrorComponent: Crash,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
