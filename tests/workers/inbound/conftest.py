"""What the tests of mails that came in find in place."""

import pytest

from tests.workers.inbound.desk import ReplyDesk
from tests.workers.office import Office


@pytest.fixture
def desk(office: Office) -> ReplyDesk:
    """Where replies are dealt with, in a match whose first turn is somebody's."""
    return ReplyDesk(office)
