import { defineWords } from '../words/words.ts'

/** How many there may be, as it is written, to what must be done. */
type ByLimit = Readonly<Record<string, (max: string) => string>>

/** What a limit of the server holds to so many, by its name. */
export const limitWords = defineWords({
  en: {
    limits: {
      max_sessions_per_user: (n) =>
        `You may have ${n} chats. Delete one, or ask your administrator for more.`,
      max_users: (n) =>
        `The tenant may have ${n} users. Remove one, or ask the platform’s administrator for more.`,
      max_mcp_servers: (n) =>
        `The tenant may have ${n} servers, those of its users included. Remove one, or ask the platform’s administrator for more.`,
      mcp_servers_per_user: (n) =>
        `One user may have ${n} servers of their own. Remove one, or ask your administrator for more.`,
      workspace_quota: (size) =>
        `The workspace may hold ${size}. Delete files that are no longer needed, or ask your administrator for more.`,
      workspace_files: (n) =>
        `The workspace may hold ${n} files and folders. Delete some that are no longer needed.`,
      ws_max_sockets_per_user: (n) =>
        `One person may follow ${n} chats at a time. Close other tabs or programs, or ask your administrator for more.`,
      evaluations: (n) => `You may have ${n} evaluations under way. Wait for one, or stop it.`,
      datasets: (n) => `The tenant may have ${n} question sets. Delete one first.`,
      agents: (n) => `The tenant may have ${n} agents. Delete one first.`,
      providers: (n) => `The tenant may have ${n} model providers. Delete one first.`,
      api_keys: (n) => `One user may have ${n} keys. Revoke one first.`,
      groups: (n) => `The tenant may have ${n} tool groups. Delete one first.`,
      data_sources: (n) => `The tenant may have ${n} data sources. Delete one first.`,
      data_questions: (n) => `There may be ${n} saved questions. Delete one first.`,
      data_definitions: (n) => `The tenant may have ${n} definitions. Delete one first.`,
      perSubject: (n) =>
        `There may be ${n} rules or limits for one user, agent or group. Delete one first.`,
      perTenant: (n) =>
        `The tenant may have ${n} of these rules, limits or lists. Delete one first.`,
      entries: (n) =>
        `The lists of a tenant may have ${n} entries. Use patterns, such as server.*.`,
    } as ByLimit,
    other: (max: string) => `The limit is ${max}. Your administrator knows more.`,
  },
  zh: {
    limits: {
      max_sessions_per_user: (n) => `最多可有 ${n} 个对话。请删除一个，或请管理员提高上限。`,
      max_users: (n) => `租户最多可有 ${n} 个用户。请移除一个，或请平台管理员提高上限。`,
      max_mcp_servers: (n) =>
        `租户最多可有 ${n} 个服务（含用户自己的）。请移除一个，或请平台管理员提高上限。`,
      mcp_servers_per_user: (n) =>
        `每位用户最多可有 ${n} 个自己的服务。请移除一个，或请管理员提高上限。`,
      workspace_quota: (size) =>
        `工作区最多可存放 ${size}。请删除不再需要的文件，或请管理员提高上限。`,
      workspace_files: (n) => `工作区最多可有 ${n} 个文件和文件夹。请删除不再需要的。`,
      ws_max_sockets_per_user: (n) =>
        `每人最多可同时打开 ${n} 个对话。请关闭其他标签页或程序，或请管理员提高上限。`,
      evaluations: (n) => `最多可同时运行 ${n} 个评测。请等待其中一个完成，或将其停止。`,
      datasets: (n) => `租户最多可有 ${n} 个题集。请先删除一个。`,
      agents: (n) => `租户最多可有 ${n} 个智能体。请先删除一个。`,
      providers: (n) => `租户最多可有 ${n} 个模型服务商。请先删除一个。`,
      api_keys: (n) => `每位用户最多可有 ${n} 个密钥。请先吊销一个。`,
      groups: (n) => `租户最多可有 ${n} 个工具组。请先删除一个。`,
      data_sources: (n) => `租户最多可有 ${n} 个数据源。请先删除一个。`,
      data_questions: (n) => `最多可保存 ${n} 个问题。请先删除一个。`,
      data_definitions: (n) => `租户最多可有 ${n} 个定义。请先删除一个。`,
      perSubject: (n) => `每个用户、智能体或工具组最多可有 ${n} 条规则或限额。请先删除一条。`,
      perTenant: (n) => `租户最多可有 ${n} 条此类规则、限额或清单。请先删除一条。`,
      entries: (n) => `租户的清单最多可有 ${n} 项。请使用通配，如 server.*。`,
    } as ByLimit,
    other: (max: string) => `上限为 ${max}。详情请咨询管理员。`,
  },
})
