"""What the subcommands of the tools for clusters, clouds and hosting do: one block of the table a tool.

A block reads `names | letters of options that take a value | verbs = acts; verbs = acts`; `+` joins the words
of one verb. A tool without verbs does the same whatever it is told.
"""

from __future__ import annotations

import re
from functools import lru_cache

_TABLE = """
kubectl oc k3s microk8s | nflcp | apply create replace run = deploy change; rollout+restart = deploy
  restart; rollout+undo = deploy change; rollout+status rollout+history = read; rollout = deploy; set =
  deploy change; scale autoscale patch edit label annotate expose taint adm = change; delete = delete;
  drain cordon = stop; get describe logs diff top explain api-resources version auth config wait = read;
  rsh = execute
helm | nfk | install upgrade rollback = deploy; uninstall delete del = delete; push = publish; list ls get
  status history template lint show search pull repo dependency version package diff = read
terraform tofu terragrunt | | apply = deploy change; destroy = destroy; import taint untaint refresh =
  change; plan show output validate fmt init graph providers version console get test state = read;
  state+rm = delete; workspace = read; workspace+delete = delete
pulumi | sC | up = deploy change; destroy = destroy; preview stack config login = read; stack+rm = delete
argocd | p | app+sync app+rollback = deploy; app+set app+create app+patch = change; app+delete = delete;
  app = read
flux skaffold tilt okteto werf kapp kustomize | nfp | reconcile run deploy up apply = deploy; delete
  uninstall down = delete; get build render diff = read
vercel now netlify firebase wrangler fly flyctl surge railway render dokku eb cdk sls serverless sam
  amplify copilot gatsby supabase convex zappa chalice kamal cap mina fab dep shipit | aestP | deploy up
  release publish promote redeploy rollback deploy:function = deploy; remove destroy delete rm undeploy
  terminate apps:destroy down = delete; env secrets secret config scale = change; list ls logs status
  inspect whoami login dev serve synth diff build local info init link open metrics tail = read;
  r2+bucket+delete r2+object+delete d1+delete kv:namespace+delete = delete
heroku | ar | git:deploy container:release releases:rollback pipelines:promote deploy = deploy;
  apps:destroy destroy addons:destroy pg:reset = delete; config:set config:unset ps:scale scale
  maintenance:on = change; logs ps config apps info releases pg:info = read; restart ps:restart = restart
ansible-playbook ansible-pull | ieltu | = deploy change execute
ansible | ima | = change execute
gh glab | RbBHFtfX | repo+delete release+delete issue+delete = delete; pr+merge mr+merge = merge;
  release+create release+upload release+edit = publish; workflow+run run+rerun = deploy execute;
  secret+set variable+set repo+archive repo+edit repo+rename = change; pr mr repo issue run workflow api
  auth browse = read
docker podman nerdctl docker-compose podman-compose | fpc | stack+deploy service+update service+create up
  = deploy; stack+rm service+rm = delete
nomad | | job+run run = deploy; job+stop stop = stop; status job = read
gcloud | | deploy app+deploy promote = deploy; delete rm rb = delete; create = create; restart = restart;
  update patch set add-iam-policy-binding = change; list describe get-value info logs read = read; stop =
  stop; start = start
az doctl ibmcloud oci hcloud scw linode-cli vultr-cli openstack aliyun | ngsr | delete purge remove
  destroy rm = delete; create = create; update set start = change; deploy deployment up = deploy; stop =
  stop; restart = restart; show list get = read
"""
Rules = list[tuple[tuple[str, ...], tuple[str, ...]]]


@lru_cache(maxsize=1)
def tools() -> dict[str, tuple[str, Rules]]:
    """tool -> (letters with a value, [(subcommand words, acts)], longest first)."""
    found: dict[str, tuple[str, Rules]] = {}
    for block in re.split(r"\n(?=\S)", _TABLE.strip()):
        names, letters, rules = (part.strip() for part in " ".join(block.split()).split("|"))
        listed: Rules = []
        for rule in rules.split(";"):
            left, _, acts = rule.partition("=")
            listed += [(tuple(verb.split("+")), tuple(acts.split())) for verb in left.split() or [""]]
        for name in names.split():
            old = found.get(name, ("", []))
            found[name] = (old[0] + letters, sorted([*old[1], *listed], key=lambda rule: -len(rule[0])))
    return found
