// GitHub: ctx.host.github.
import { async, sync } from "./bridge.js";
import { closed } from "./closed.js";
import { encode } from "./json.js";
import { keys, parse, TypeError } from "./primordials.js";

const pull = "/repos/{owner}/{repo}/pulls/{pull_number}", issue = "/repos/{owner}/{repo}/issues/{issue_number}";

// rest are the methods that have names; all others are asked by their routes.
const rest = {
  pulls: {
    get: `GET ${pull}`,
    list: "GET /repos/{owner}/{repo}/pulls",
    listFiles: `GET ${pull}/files`,
    listCommits: `GET ${pull}/commits`,
    listReviews: `GET ${pull}/reviews`,
    create: "POST /repos/{owner}/{repo}/pulls",
    update: `PATCH ${pull}`,
    merge: `PUT ${pull}/merge`,
    createReview: `POST ${pull}/reviews`,
  },
  issues: {
    get: `GET ${issue}`,
    list: "GET /issues",
    listForRepo: "GET /repos/{owner}/{repo}/issues",
    listComments: `GET ${issue}/comments`,
    create: "POST /repos/{owner}/{repo}/issues",
    update: `PATCH ${issue}`,
    createComment: `POST ${issue}/comments`,
    updateComment: "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
    addLabels: `POST ${issue}/labels`,
  },
  repos: {
    get: "GET /repos/{owner}/{repo}",
    getContent: "GET /repos/{owner}/{repo}/contents/{path}",
    getCommit: "GET /repos/{owner}/{repo}/commits/{ref}",
    createCommitStatus: "POST /repos/{owner}/{repo}/statuses/{sha}",
  },
};

export function bindGithub(call) {
  return {
    // getOctokit gives {rest, request}: each call resolves with {status, headers, data},
    // and rejects with an error that has a status.
    async getOctokit() {
      sync("github.ready", call);
      return octokit(call);
    },
  };
}

function octokit(call) {
  const request = async (route, params) => {
    let text = route, fields = params;
    if (route !== null && typeof route === "object") {
      const { method = "GET", url, ...others } = route;
      text = `${method} ${url}`;
      fields = others;
    }
    if (typeof text !== "string") throw new TypeError('request needs a route, such as "GET /repos/{owner}/{repo}"');
    return parse(await async(call, "github.call", text, encode(fields ?? {}, "the params")));
  };
  const groups = {}, names = keys(rest);
  for (let i = 0; i < names.length; i++) groups[names[i]] = group(names[i], request);
  return known({ rest: known(groups, "octokit.rest"), request }, "octokit");
}

function group(name, request) {
  const methods = {}, routes = rest[name], names = keys(routes);
  for (let i = 0; i < names.length; i++) methods[names[i]] = (params) => request(routeOf(name, names[i], params), params);
  return known(methods, `octokit.rest.${name}`);
}

// routeOf: issues.list of a repository is that repository's.
function routeOf(name, method, params) {
  const inRepo = name === "issues" && method === "list" && params?.owner !== undefined && params?.repo !== undefined;
  return inRepo ? rest.issues.listForRepo : rest[name][method];
}

const known = (object, shown) => closed(object, shown, 'octokit.request("GET /repos/{owner}/{repo}/…", {…})');
