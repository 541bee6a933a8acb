CREATE TABLE "_metadata" (
    "key" text COLLATE "C" NOT NULL,
    "value" text COLLATE "C",
    CONSTRAINT "_pk__metadata" PRIMARY KEY ("key")
);
CREATE TABLE "_sequence" (
    "name" text COLLATE "C" NOT NULL,
    "next" bigint NOT NULL,
    CONSTRAINT "_pk__sequence" PRIMARY KEY ("name")
);
CREATE TABLE "_migration" (
    "id" bigint NOT NULL,
    "source" text COLLATE "C",
    "destination" text COLLATE "C",
    "checksum" text COLLATE "C",
    "started" double precision,
    "finished" double precision,
    CONSTRAINT "_pk__migration" PRIMARY KEY ("id")
);
CREATE TABLE "Person" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "_entity" text COLLATE "C" NOT NULL,
    "name" text COLLATE "C",
    "age" bigint,
    "style" text COLLATE "C",
    CONSTRAINT "_pk_Person" PRIMARY KEY ("_id")
);
CREATE TABLE "Book" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "title" text COLLATE "C",
    "year" bigint,
    "author" bigint,
    CONSTRAINT "_pk_Book" PRIMARY KEY ("_id")
);
CREATE TABLE "Tag" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "name" text COLLATE "C",
    CONSTRAINT "_pk_Tag" PRIMARY KEY ("_id")
);
CREATE TABLE "Chapter" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "title" text COLLATE "C",
    "book" bigint,
    "_order_book" bigint,
    CONSTRAINT "_pk_Chapter" PRIMARY KEY ("_id")
);
CREATE TABLE "Book_tags" (
    "source" bigint NOT NULL,
    "destination" bigint NOT NULL,
    CONSTRAINT "_pk_Book_tags" PRIMARY KEY ("source", "destination")
);
CREATE TABLE "_save" (
    "id" bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
    "origin" bigint NOT NULL,
    "number" bigint NOT NULL,
    "at" double precision NOT NULL,
    "author" text COLLATE "C",
    "context" text COLLATE "C",
    "changes" text COLLATE "C",
    CONSTRAINT "_pk__save" PRIMARY KEY ("origin", "number")
);
CREATE INDEX "_save_id" ON "_save" ("id");
CREATE TABLE "_save_part" (
    "origin" bigint NOT NULL,
    "number" bigint NOT NULL,
    "part" bigint NOT NULL,
    "changes" text COLLATE "C" NOT NULL,
    CONSTRAINT "_pk__save_part" PRIMARY KEY ("origin", "number", "part"),
    FOREIGN KEY ("origin", "number") REFERENCES "_save" ("origin", "number") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "Person_name" ON "Person" ("name" ASC NULLS FIRST);
CREATE INDEX "Book_author" ON "Book" ("author" ASC NULLS FIRST);
CREATE INDEX "Chapter_book" ON "Chapter" ("book" ASC NULLS FIRST);
CREATE INDEX "Book_tags_destination" ON "Book_tags" ("destination" ASC NULLS FIRST);
ALTER TABLE "Book" ADD CONSTRAINT "_fk_Book_author" FOREIGN KEY ("author") REFERENCES "Person" ("_id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "Chapter" ADD CONSTRAINT "_fk_Chapter_book" FOREIGN KEY ("book") REFERENCES "Book" ("_id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "Book_tags" ADD CONSTRAINT "_fk_Book_tags_source" FOREIGN KEY ("source") REFERENCES "Book" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "Book_tags" ADD CONSTRAINT "_fk_Book_tags_destination" FOREIGN KEY ("destination") REFERENCES "Tag" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
