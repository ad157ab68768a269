import {
  type PageQuery,
  type TenantCreateInput,
  type TenantUpdate,
  tenantListSchema,
  tenantSchema,
  tenantUsageSchema,
  type UsageQuery,
  usageReportSchema,
} from '@dataagent/schema'
import { type CallOptions, type QueryOf, toPath, type Verbs } from '../http/index.ts'

const answer = tenantSchema

export function createTenantsApi({ get, create, patch }: Verbs) {
  return {
    list: (query: QueryOf<PageQuery> = {}, options?: CallOptions) =>
      get('/tenants', { query, answer: tenantListSchema, ...options }),
    create: (body: TenantCreateInput, options?: CallOptions) =>
      create('/tenants', { body, answer, ...options }),
    get: (tenant_id: string, options?: CallOptions) =>
      get(toPath`/tenants/${tenant_id}`, { answer, ...options }),
    update: (tenant_id: string, body: TenantUpdate, options?: CallOptions) =>
      patch(toPath`/tenants/${tenant_id}`, { body, answer, ...options }),
    usage: (tenant_id: string, options?: CallOptions) =>
      get(toPath`/tenants/${tenant_id}/usage`, { answer: tenantUsageSchema, ...options }),
  }
}

export function createUsageApi({ get }: Verbs) {
  return {
    report: (query: QueryOf<UsageQuery> = {}, options?: CallOptions) =>
      get('/usage', { query, answer: usageReportSchema, ...options }),
  }
}
