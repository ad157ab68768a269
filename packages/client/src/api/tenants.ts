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

export function createTenantsApi({ get, create, patch, tell, open }: Verbs) {
  return {
    list: (query: QueryOf<PageQuery> = {}, options?: CallOptions) =>
      get('/tenants', { query, answer: tenantListSchema, ...options }),
    create: (body: TenantCreateInput, options?: CallOptions) =>
      create('/tenants', { body, answer, ...options }),
    get: (tenant_id: string, options?: CallOptions) =>
      get(toPath`/tenants/${tenant_id}`, { answer, ...options }),
    update: (tenant_id: string, body: TenantUpdate, options?: CallOptions) =>
      patch(toPath`/tenants/${tenant_id}`, { body, answer, ...options }),
    /** Ends the tenant, for good. */
    delete: (tenant_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/tenants/${tenant_id}`, options),
    /** Lines of JSON: the last one has `kind: 'end'`, else it is not whole. */
    export: (tenant_id: string, options?: CallOptions) =>
      open(toPath`/tenants/${tenant_id}/export`, { accept: 'application/x-ndjson', ...options }),
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
