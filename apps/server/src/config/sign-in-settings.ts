import { userSchema } from '@dataagent/schema'
import { anyText, list, secretText, text, wholeNumber } from './field.ts'
import { isIssuer } from './value-checks.ts'

const day = 86_400

/** How people sign in with a browser. */
export const signInSettings = {
  sign_in_lifetime: wholeNumber(60, 365 * day, 7 * day, {
    group: 'access',
    about: {
      en: 'Seconds after which a browser must sign in again',
      zh: '浏览器登录的有效期（秒）',
    },
  }),
  sign_in_idle: wholeNumber(60, 365 * day, day, {
    group: 'access',
    about: {
      en: 'Seconds without use after which a browser must sign in again',
      zh: '浏览器登录允许的空闲时间（秒）',
    },
  }),
  sign_in_attempts: wholeNumber(1, 1_000_000, 20, {
    group: 'access',
    about: {
      en: 'Wrong keys per minute from one address, after which the answer is 429',
      zh: '同一地址每分钟允许的错误 Key 次数，超出返回 429',
    },
  }),
  oidc_issuer: text(anyText.refine(isIssuer), undefined, {
    expected: {
      en: 'an https:// URL (http:// for this machine)',
      zh: 'https:// 网址（本机可用 http://）',
    },
    group: 'access',
    about: {
      en: 'OpenID Connect provider that people sign in with, in the browser',
      zh: '浏览器登录所用的 OpenID Connect 身份提供方',
    },
  }),
  oidc_client_id: text(anyText, undefined, {
    expected: { en: 'a client id', zh: '客户端 ID' },
    group: 'access',
    about: {
      en: 'Our id at the provider; its redirect URI there is /api/v1/sign-in/oidc/callback',
      zh: '在身份提供方处的客户端 ID；回调地址为 /api/v1/sign-in/oidc/callback',
    },
  }),
  oidc_client_secret: secretText(anyText, {
    expected: { en: 'a secret', zh: '密钥' },
    group: 'access',
    about: { en: 'Secret of that client', zh: '该客户端的密钥' },
    shownDefault: { en: 'none: a public client', zh: '无：公开客户端' },
  }),
  oidc_scopes: text(anyText, 'openid email profile', {
    expected: { en: 'scopes separated by spaces', zh: '以空格分隔的 scope' },
    group: 'access',
    about: { en: 'What is asked of the provider', zh: '向身份提供方请求的 scope' },
  }),
  oidc_user_claim: text(anyText, 'email', {
    expected: { en: 'the name of a claim', zh: '声明名称' },
    group: 'access',
    about: {
      en: 'Claim that is the user_id here; an email must be verified',
      zh: '用作 user_id 的声明；email 必须已验证',
    },
  }),
  oidc_role_claim: text(anyText, undefined, {
    expected: { en: 'the name of a claim', zh: '声明名称' },
    group: 'access',
    about: {
      en: 'Claim that holds admin, user or auditor, alone or in a list; taken over at each sign-in',
      zh: '值为 admin、user 或 auditor（可为列表）的声明；每次登录时采用',
    },
    shownDefault: {
      en: 'none: new people are users, administrators change that',
      zh: '无：新用户角色为 user，由管理员更改',
    },
  }),
  oidc_tenant: text(userSchema.shape.tenant_id, 'default', {
    expected: { en: 'a tenant_id', zh: 'tenant_id' },
    group: 'access',
    about: { en: 'Tenant of the people who sign in so', zh: '以此方式登录的用户所属租户' },
  }),
  oidc_allowed_domains: list(anyText.toLowerCase(), {
    expected: {
      en: 'domains such as example.com separated by commas',
      zh: '以逗号分隔的域名（如 example.com）',
    },
    group: 'access',
    about: {
      en: 'Domains of the verified email, of which people may sign in',
      zh: '允许登录的邮箱域名（邮箱须已验证）',
    },
    shownDefault: { en: 'all', zh: '全部' },
  }),
}
