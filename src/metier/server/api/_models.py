"""`/api/models`: configured language models, and trying one out."""

from pydantic import Field

from metier.agent import check_model
from metier.errors import Conflict
from metier.server.http import Ctx, JsonAnswer, Operator, RequestBody, User, make_router, responds
from metier.server.schema import ModelCheckList, ModelList

routes = make_router("models")


class ModelTestBody(RequestBody):
    """A configured model to try out."""

    model: str | None = Field(
        None, min_length=1, max_length=200, description="The default one if left out.", examples=["strong"]
    )


@routes.get("/api/models", summary="Configured models", responses=responds(ModelList))
async def list_models(here: Ctx, user: User) -> JsonAnswer:
    """List the models that may be chosen: where each is served and which stages use it; never a key."""
    pool = here.runtime.models
    models = [
        {
            **entry.to_json(),
            "default": entry.name == pool.default,
            "stages": sorted(stage for stage, name in pool.stages.items() if name == entry.name),
        }
        for entry in pool
    ]
    return JsonAnswer({"models": models})


@routes.post("/api/models/test", summary="Try a model out", responses=responds(ModelCheckList, 404, 409))
async def check_one_model(body: ModelTestBody, here: Ctx, operator: Operator) -> JsonAnswer:
    """Ask the model a few short questions: latency, streaming, usage, both languages, tools, schema, window."""
    pool = here.runtime.models
    entry = pool[body.model or pool.default]
    if here.model_test.locked():  # a test costs tokens and waits for a service
        raise Conflict("a model is being tried out", hint="wait until that is done")
    async with here.model_test:
        checks = [check async for check in check_model(entry)]
    ok = all(check.status != "failed" for check in checks)
    return JsonAnswer({"model": entry.name, "ok": ok, "checks": [check.to_json() for check in checks]})
