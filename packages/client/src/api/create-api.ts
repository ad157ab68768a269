import { createVerbs, type SendRequest } from '../http/index.ts'
import { createAgentsApi } from './agents.ts'
import { createApprovalsApi } from './approvals.ts'
import { createAuditApi } from './audit.ts'
import { createChatApi } from './chat.ts'
import { createDataApi } from './data.ts'
import { createEvaluationsApi } from './evaluations.ts'
import { createFilesApi } from './files.ts'
import type { Connect } from './follow-turn.ts'
import { createIdentityApi } from './identity.ts'
import { createMemoryApi } from './memory.ts'
import { createModelProvidersApi, createModelsApi } from './models.ts'
import { createOperationsApi } from './operations.ts'
import { createPolicyApi } from './policy.ts'
import { createServersApi } from './servers.ts'
import { createFeedbackApi, createRunsApi, createSessionsApi } from './sessions.ts'
import { createTenantsApi, createUsageApi } from './tenants.ts'
import { createToolGroupsApi } from './tool-groups.ts'
import { createToolsApi } from './tools.ts'
import { createUserServersApi } from './user-servers.ts'
import { createApiKeysApi, createUsersApi } from './users.ts'

/** One method per route, by subject. */
export function createApi(send: SendRequest, connect: Connect) {
  const verbs = createVerbs(send)
  return {
    identity: createIdentityApi(verbs),
    chat: createChatApi({ verbs, send, connect }),
    sessions: createSessionsApi(verbs),
    runs: createRunsApi(verbs),
    feedback: createFeedbackApi(verbs),
    agents: createAgentsApi(verbs),
    models: createModelsApi(verbs),
    modelProviders: createModelProvidersApi(verbs),
    evaluations: createEvaluationsApi(verbs),
    data: createDataApi(verbs),
    approvals: createApprovalsApi(verbs),
    tools: createToolsApi(verbs),
    servers: createServersApi(verbs),
    userServers: createUserServersApi(verbs),
    toolGroups: createToolGroupsApi(verbs),
    policy: createPolicyApi(verbs),
    users: createUsersApi(verbs),
    apiKeys: createApiKeysApi(verbs),
    tenants: createTenantsApi(verbs),
    usage: createUsageApi(verbs),
    audit: createAuditApi(verbs),
    memory: createMemoryApi(verbs),
    files: createFilesApi(verbs),
    operations: createOperationsApi(verbs),
  }
}
