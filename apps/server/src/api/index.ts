import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/index.ts'
import { addRoutes, createOnce, type Route } from '../deps/index.ts'
import { agentRoutes } from './agents.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { approvalRoutes } from './approvals.ts'
import { auditRoutes } from './audit.ts'
import { chatRoutes } from './chat.ts'
import { dataRoutes } from './data.ts'
import { datasetRoutes } from './evaluation-datasets.ts'
import { evaluationReportRoutes } from './evaluation-reports.ts'
import { evaluationRunRoutes } from './evaluation-runs.ts'
import { feedbackRoutes } from './feedback.ts'
import { fileRoutes } from './files.ts'
import { type HealthOptions, healthRoutes } from './health.ts'
import { meRoutes } from './me.ts'
import { memoryRoutes } from './memory.ts'
import { type MetricsOptions, metricsRoutes, tellWorkers } from './metrics.ts'
import { providerRoutes } from './model-providers.ts'
import { modelRoutes } from './models.ts'
import { openApiRoutes } from './openapi.ts'
import { ownGrantRoutes } from './own-grants.ts'
import { policyRoutes } from './policy.ts'
import { runRoutes } from './runs.ts'
import { serverSignInRoutes } from './server-sign-in.ts'
import { serverRoutes } from './servers.ts'
import { serverConnectionRoutes } from './servers-connection.ts'
import { templateRoutes } from './servers-templates.ts'
import { storedTestRoutes } from './servers-test-stored.ts'
import { sessionRoutes } from './sessions.ts'
import { settingsRoutes } from './settings.ts'
import { type SignInOptions, signInRoutes } from './sign-in.ts'
import { tenantRoutes } from './tenants.ts'
import { toolGroupRoutes } from './tool-groups.ts'
import { toolGroupGrantRoutes } from './tool-groups-grants.ts'
import { toolGroupKeyRoutes } from './tool-groups-key.ts'
import { toolRoutes } from './tools.ts'
import { toolDecisionRoutes } from './tools-decisions.ts'
import { toolRegistryRoutes } from './tools-registry.ts'
import { usageRoutes } from './usage.ts'
import { userServerRoutes } from './user-servers.ts'
import { userRoutes } from './users.ts'
import { workspaceRoutes } from './workspaces.ts'

export { tellWorkers }

export interface ApiOptions extends HealthOptions, MetricsOptions, SignInOptions {
  config: Pick<Config, 'public_url'>
}

/** Every route under /api/v1. */
export function apiRoutes(options: ApiOptions): Route[] {
  const { platform, identity, version, config } = options
  const subjects = [
    chatRoutes,
    sessionRoutes,
    feedbackRoutes,
    runRoutes,
    agentRoutes,
    modelRoutes,
    providerRoutes,
    datasetRoutes,
    evaluationReportRoutes,
    evaluationRunRoutes,
    dataRoutes,
    approvalRoutes,
    toolRoutes,
    toolDecisionRoutes,
    toolRegistryRoutes,
    userServerRoutes,
    templateRoutes,
    serverRoutes,
    serverConnectionRoutes,
    storedTestRoutes,
    serverSignInRoutes,
    toolGroupRoutes,
    toolGroupKeyRoutes,
    toolGroupGrantRoutes,
    ownGrantRoutes,
    policyRoutes,
    usageRoutes,
    auditRoutes,
    memoryRoutes,
    fileRoutes,
    workspaceRoutes,
    settingsRoutes,
    meRoutes,
  ]
  const routes = subjects.flatMap((routesOf) => routesOf(platform))
  routes.push(...signInRoutes(options))
  routes.push(...tenantRoutes(platform, identity))
  routes.push(...userRoutes(platform, identity), ...apiKeyRoutes(platform, identity))
  routes.push(...healthRoutes(options), ...metricsRoutes(platform, options))
  routes.push(...openApiRoutes(routes, { version, publicUrl: config.public_url }))
  return routes
}

/** Adds them to the server. */
export async function addApi(app: FastifyInstance, options: ApiOptions): Promise<void> {
  const once = createOnce({ stores: options.platform })
  await app.register(
    async (api) => {
      addRoutes(api, apiRoutes(options), { once })
    },
    { prefix: '/api/v1' },
  )
}
